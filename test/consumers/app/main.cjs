const toolkit = require('@reduxjs/toolkit');
const React = require('react');
const { renderToString } = require('react-dom/server');
const { Provider } = require('react-redux');
const resource = require('rtk-resource');
const hooks = require('rtk-resource/react');
const { ResourceDevtools } = require('rtk-resource/devtools');
const { recordResources } = require('rtk-resource/devtools/production');
const { mockServer } = require('rtk-resource/mock');
const { normalize } = require('rtk-resource/normalize');
const { scenario } = require('./scenario.cjs');

class Row extends resource.Entity {
  id = 0;
}
Row.key = 'Row';

scenario({ toolkit, resource, hooks, React, Provider, render: renderToString, server: process.env['SERVER'] }).then(
  async (answer) => {
    const rows = mockServer([resource.createResource({ path: '/rows/:id', schema: Row })], {
      seed: { Row: [{ id: 7 }] },
    });
    const served = await (await rows.fetch('/rows/7')).json();
    const { result } = normalize(Row, served);
    const store = toolkit.configureStore({ reducer: () => ({}), middleware: (getDefault) => getDefault() });
    if (recordResources(store).events.length > 0 || renderToString(React.createElement(ResourceDevtools)) !== '')
      throw new Error('The devtools are not as they should be.');
    console.log(JSON.stringify({ ...answer, result }));
  },
);
