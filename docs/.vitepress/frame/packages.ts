/** The packages that a snippet may import. Those that make a store or a server are watched, so that the devtools find them. */
import * as toolkit from '@reduxjs/toolkit';
import * as react from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as reactDom from 'react-dom';
import * as reactDomClient from 'react-dom/client';
import * as reactRedux from 'react-redux';
import * as core from 'rtk-resource';
import * as devtools from 'rtk-resource/devtools/production';
import * as mock from 'rtk-resource/mock';
import * as normalize from 'rtk-resource/normalize';
import * as offline from 'rtk-resource/offline';
import * as hooks from 'rtk-resource/react';

/** What the snippet has made so far. */
export const made: { store: toolkit.Store | undefined; server: mock.MockServer | undefined } = {
  store: undefined,
  server: undefined,
};

const configureStore: typeof toolkit.configureStore = (options) => {
  const store = toolkit.configureStore(options);
  devtools.recordResources(store);
  made.store ??= store;
  return store;
};

const mockServer: typeof mock.mockServer = (endpoints, options) => {
  const server = mock.mockServer(endpoints, options);
  made.server ??= server;
  return server;
};

const packages: Readonly<Record<string, object>> = {
  '@reduxjs/toolkit': { ...toolkit, configureStore },
  react,
  'react/jsx-runtime': jsxRuntime,
  'react-dom': reactDom,
  'react-dom/client': reactDomClient,
  'react-redux': reactRedux,
  'rtk-resource': core,
  'rtk-resource/devtools': devtools,
  'rtk-resource/devtools/production': devtools,
  'rtk-resource/mock': { ...mock, mockServer },
  'rtk-resource/normalize': normalize,
  'rtk-resource/offline': offline,
  'rtk-resource/react': hooks,
};

/** The exports of a package, as compiled code takes them. */
export function packageOf(name: string): object {
  const found = packages[name];
  if (found) return { ...found, __esModule: true };
  throw new Error(`There is no package '${name}' in the playground. It has ${Object.keys(packages).join(', ')}.`);
}
