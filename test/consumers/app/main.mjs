import * as toolkit from '@reduxjs/toolkit';
import * as React from 'react';
import { renderToString } from 'react-dom/server';
import { Provider } from 'react-redux';
import * as resource from 'rtk-resource';
import * as hooks from 'rtk-resource/react';
import { ResourceDevtools } from 'rtk-resource/devtools';
import { recordResources } from 'rtk-resource/devtools/production';
import { mockServer } from 'rtk-resource/mock';
import { normalize } from 'rtk-resource/normalize';
import { scenario } from './scenario.cjs';

// Looked up by name, so that no bundler puts in what it is when the bundle is made.
const { env, exit } = globalThis['process'];
// To the compiler, Redux Toolkit for modules and for CommonJS are two.
const modules = /** @type {never} */ ({
  toolkit,
  resource,
  hooks,
  React,
  Provider,
  render: renderToString,
  server: env['SERVER'],
});

scenario(modules).then(async (/** @type {object} */ answer) => {
  // One copy of the classes, whichever entry they come through.
  class Row extends resource.Entity {
    id = 0;
  }
  Row.key = 'Row';
  const rows = mockServer([resource.createResource({ path: '/rows/:id', schema: Row })], {
    seed: { Row: [{ id: 7 }] },
  });
  const served = await (await rows.fetch('/rows/7')).json();
  const { result } = normalize(Row, served);
  const store = toolkit.configureStore({ reducer: () => ({}), middleware: (getDefault) => getDefault() });
  if (recordResources(store).events.length > 0 || renderToString(React.createElement(ResourceDevtools)) !== '')
    throw new Error('The devtools are not as they should be.');
  console.log(JSON.stringify({ ...answer, result }));
  // What React renders with in a browser would keep Node waiting.
  exit(0);
});
