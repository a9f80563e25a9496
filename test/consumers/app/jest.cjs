/* global test, expect */
// @ts-nocheck: Jest is installed where this runs, and only there.
const toolkit = require('@reduxjs/toolkit');
const React = require('react');
const { renderToString } = require('react-dom/server');
const { Provider } = require('react-redux');
const resource = require('rtk-resource');
const hooks = require('rtk-resource/react');
const { scenario } = require('./scenario.cjs');

test('reads a list, edits an item, and shows the list', async () => {
  const server = process.env['SERVER'];
  const answer = await scenario({ toolkit, resource, hooks, React, Provider, render: renderToString, server });

  expect(answer).toEqual({ count: 2, shown: 'edited', html: '<p>edited, two</p>' });
});
