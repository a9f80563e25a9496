import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { defineAsyncComponent, h } from 'vue';
import './style.css';
import { NotFound } from './NotFound.js';
import { mendSidebar } from './sidebar.js';
import { listenForTypes } from './types.js';

if (typeof document !== 'undefined') {
  listenForTypes();
  mendSidebar();
}

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'not-found': () => h(NotFound) }),
  enhanceApp({ app }) {
    app.component(
      'BreakIt',
      defineAsyncComponent(async () => (await import('./break-it/BreakIt.js')).BreakIt),
    );
    app.component(
      'Race',
      defineAsyncComponent(async () => (await import('./break-it/Race.js')).Race),
    );
    app.component(
      'Playground',
      defineAsyncComponent(async () => (await import('./playground/Playground.js')).Playground),
    );
  },
};

// VitePress takes the theme by this name.
export default theme;
