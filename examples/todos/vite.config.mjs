import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import react from '@vitejs/plugin-react';
import { defineConfig, runnerImport } from 'vite';

const src = (/** @type {string} */ path) => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));

const alias = [
  { find: /^rtk-resource\/react$/, replacement: src('react/index.ts') },
  { find: /^rtk-resource\/mock$/, replacement: src('mock/index.ts') },
  { find: /^rtk-resource$/, replacement: src('index.ts') },
];

/** Serves the API from the origin of the page, in `vite` and in `vite preview`. @returns {import('vite').Plugin} */
function restApi() {
  /** @param {{ middlewares: import('vite').Connect.Server }} server */
  const mount = async ({ middlewares }) => {
    // The server is made of the app's own resources, which are TypeScript.
    const config = { configFile: /** @type {const} */ (false), resolve: { alias } };
    /** @type {{ module: typeof import('./api.mjs') }} */
    const { module: api } = await runnerImport(`${import.meta.dirname}/api.mjs`, config);
    const listener = getRequestListener(api.handle);
    middlewares.use((request, response, next) => {
      if (request.url?.startsWith('/api/')) void listener(request, response);
      else next();
    });
  };
  return { name: 'todos-api', configureServer: mount, configurePreviewServer: mount };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), restApi()],
  resolve: { alias },
  // Known beforehand, so that no page reloads in the middle of its first visit.
  optimizeDeps: {
    include: ['react', 'react/jsx-dev-runtime', 'react-dom/client', 'react-redux', '@reduxjs/toolkit'],
  },
  build: { outDir: 'dist', emptyOutDir: true },
});
