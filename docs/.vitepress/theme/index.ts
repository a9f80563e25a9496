import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { defineAsyncComponent } from 'vue';
import './style.css';
import { listenForTypes } from './types.js';

if (typeof document !== 'undefined') listenForTypes();

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component(
      'BreakIt',
      defineAsyncComponent(async () => (await import('./break-it/BreakIt.js')).BreakIt),
    );
  },
};

// VitePress takes the theme by this name.
export default theme;
