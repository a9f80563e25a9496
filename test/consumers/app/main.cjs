const toolkit = require('@reduxjs/toolkit');
const React = require('react');
const { renderToString } = require('react-dom/server');
const { Provider } = require('react-redux');
const resource = require('rtk-resource');
const hooks = require('rtk-resource/react');
const { normalize } = require('rtk-resource/normalize');
const { scenario } = require('./scenario.cjs');

class Row extends resource.Entity {
  id = 0;
}
Row.key = 'Row';

scenario({ toolkit, resource, hooks, React, Provider, render: renderToString, server: process.env['SERVER'] }).then(
  (answer) => {
    const { result } = normalize(Row, { id: 7 });
    console.log(JSON.stringify({ ...answer, result }));
  },
);
