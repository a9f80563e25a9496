import { Component, StrictMode, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { adoptStyles } from './styles.js';

/** A shadow root with a React root of its own: nothing of it meets the app's styles, keys, errors or renders. */
export interface Island {
  render(node: ReactNode): void;
  remove(): void;
}

export function makeIsland(host: HTMLElement, nonce: string | undefined): Island {
  const shadow = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  shadow.replaceChildren();
  adoptStyles(shadow, nonce);
  const place = host.ownerDocument.createElement('div');
  shadow.append(place);
  // What fails is shown in its place.
  const root: Root = createRoot(place, { onCaughtError: () => undefined });
  // What is typed here is no shortcut of the app's.
  const keep = (event: Event): void => {
    event.stopPropagation();
  };
  for (const type of ['keydown', 'keyup', 'keypress']) place.addEventListener(type, keep);
  return {
    render(node) {
      root.render(
        <StrictMode>
          <Boundary>{node}</Boundary>
        </StrictMode>,
      );
    },
    remove() {
      // The app may be rendering just now.
      setTimeout(() => {
        root.unmount();
        place.remove();
      });
    },
  };
}

/** A fault of the panel's is shown in it, and nowhere else. */
class Boundary extends Component<{ readonly children: ReactNode }, { readonly problem?: string }> {
  override state: { readonly problem?: string } = {};

  static getDerivedStateFromError(error: unknown): { readonly problem: string } {
    return { problem: String(error) };
  }

  override render(): ReactNode {
    const { problem } = this.state;
    if (problem === undefined) return this.props.children;
    return (
      <p role="alert" className="root problem">
        The devtools have failed: {problem}
      </p>
    );
  }
}
