import type { Store } from '@reduxjs/toolkit';
import { useContext, useEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { ReactReduxContext } from 'react-redux';
import type { MockServer } from '../../mock/options.js';
import { recorderOf } from '../record/recordResources.js';
import type { RecorderOptions } from '../record/Recorder.js';
import { Dock } from './Dock.js';
import { makeIsland, type Island } from './Island.js';
import { Panel, type Stores } from './Panel.js';

/**
 * What the panel shows.
 *
 * @example
 * const props: ResourceDevtoolsPanelProps = { store, theme: 'dark', style: { height: 400 } };
 */
export interface ResourceDevtoolsPanelProps extends RecorderOptions {
  /** The store, or several by name; that of the Provider, unless given. */
  readonly store?: Store | Readonly<Record<string, Store>>;
  /** `system`, unless given. */
  readonly theme?: 'system' | 'light' | 'dark';
  /** The nonce for a style element, for browsers without constructable style sheets. */
  readonly styleNonce?: string;
  /** A mock server, whose held requests are answered from the panel. */
  readonly server?: MockServer;
  /** Shows a button that closes the panel. */
  readonly onClose?: () => void;
  /** How the element around the panel looks. */
  readonly style?: CSSProperties;
}

/**
 * What the panel shows, and where it stands.
 *
 * @example
 * const props: ResourceDevtoolsProps = { initialIsOpen: false, position: 'right', shortcut: 'Alt+Shift+D' };
 */
export interface ResourceDevtoolsProps extends Omit<ResourceDevtoolsPanelProps, 'onClose' | 'style'> {
  /** Whether it is open at first; what was left is remembered by the browser. */
  readonly initialIsOpen?: boolean;
  /** `bottom`, unless given. */
  readonly position?: 'bottom' | 'top' | 'left' | 'right';
  /** `bottom-right`, unless given. */
  readonly buttonPosition?: 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left';
  /** Opens and closes it, written as in `aria-keyshortcuts`; `Alt+Shift+R`, unless given; false for none. */
  readonly shortcut?: string | false;
}

/** The stores that are looked at: those given, or that of the Provider. */
function useStores(given: ResourceDevtoolsPanelProps['store']): Stores {
  const provided = useContext(ReactReduxContext)?.store;
  if (given) return isStore(given) ? { store: given } : given;
  return provided ? { store: provided } : {};
}

function isStore(store: Store | Stores): store is Store {
  return typeof store.dispatch === 'function';
}

/** Records from now on, whether somebody looks or not. */
function useRecording(stores: Stores, options: RecorderOptions): void {
  useEffect(() => {
    for (const store of Object.values(stores)) recorderOf(store, options);
  });
}

function addHost(): HTMLElement {
  const host = document.createElement('div');
  host.dataset['rtkResourceDevtools'] = '';
  document.body.append(host);
  return host;
}

/** Renders into an island in an element, as soon as it is there; undefined: into one of its own, at the end of the page. */
function useIsland(host: HTMLElement | null | undefined, styleNonce: string | undefined, node: ReactNode): void {
  const island = useRef<Island | undefined>(undefined);
  useEffect(() => {
    if (host === null) return undefined;
    const place = host ?? addHost();
    const made = (island.current = makeIsland(place, styleNonce));
    return () => {
      island.current = undefined;
      made.remove();
      if (!host) place.remove();
    };
  }, [host, styleNonce]);
  useEffect(() => {
    island.current?.render(node);
  });
}

/**
 * A button in a corner of the page, and behind it a panel that tells what a store shows, and why. Renders nothing on a server, and nothing in production:
 * that of `rtk-resource/devtools/production` is always there.
 *
 * @example
 * <ResourceDevtools initialIsOpen={false} />;
 */
export function ResourceDevtools(props: ResourceDevtoolsProps) {
  const { store, styleNonce, server, initialIsOpen = false } = props;
  const { position = 'bottom', buttonPosition = 'bottom-right' } = props;
  const { theme = 'system', shortcut = 'Alt+Shift+R' } = props;
  const stores = useStores(store);
  useRecording(stores, props);
  useIsland(
    undefined,
    styleNonce,
    <Dock {...{ stores, options: props, server, initialIsOpen, position, buttonPosition, theme, shortcut }} />,
  );
  return null;
}

/**
 * The panel by itself, to stand in a page. Renders nothing on a server and as it is hydrated.
 *
 * @example
 * <ResourceDevtoolsPanel style={{ height: 400 }} />;
 */
export function ResourceDevtoolsPanel(props: ResourceDevtoolsPanelProps) {
  const { store, theme = 'system', styleNonce, server, onClose, style } = props;
  const stores = useStores(store);
  const [host, setHost] = useState<HTMLElement | null>(null);
  const [isClient, setClient] = useState(false);
  useRecording(stores, props);
  useEffect(() => {
    // The first render of a client is that of the server.
    // eslint-disable-next-line react-hooks/set-state-in-effect -- what is hydrated must be what the server gave
    setClient(true);
  }, []);
  useIsland(
    host,
    styleNonce,
    <div
      className="root panel"
      data-theme={theme}
      dir="ltr"
      lang="en"
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose?.();
      }}
    >
      <Panel {...{ stores, options: props, server, onClose }} />
    </div>,
  );
  return isClient ? <div ref={setHost} data-rtk-resource-devtools="" style={{ height: 320, ...style }} /> : null;
}
