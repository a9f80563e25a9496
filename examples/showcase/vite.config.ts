import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import react from '@vitejs/plugin-react';
import { defineConfig, type Connect, type Plugin } from 'vite';
import { createApi } from './server/api.ts';

const src = (path: string): string => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));

/** Serves the API from the origin of the page, in `vite` and in `vite preview`. */
function restApi(): Plugin {
  const mount = async ({ middlewares }: { readonly middlewares: Connect.Server }): Promise<void> => {
    const api = await createApi();
    const listener = getRequestListener(api.fetch);
    middlewares.use((request, response, next) => {
      if (request.url?.startsWith('/api/')) void listener(request, response);
      else next();
    });
  };
  return { name: 'showcase-api', configureServer: mount, configurePreviewServer: mount };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), restApi()],
  resolve: {
    alias: [
      { find: /^rtk-resource\/react$/, replacement: src('react/index.ts') },
      { find: /^rtk-resource\/devtools\/production$/, replacement: src('devtools/production.ts') },
      { find: /^rtk-resource$/, replacement: src('index.ts') },
    ],
  },
  // Known beforehand, so that no page reloads in the middle of its first visit.
  optimizeDeps: {
    include: [
      'react',
      'react/jsx-dev-runtime',
      'react-dom/client',
      'react-redux',
      '@reduxjs/toolkit',
      '@reduxjs/toolkit/query/react',
      'virtua',
    ],
  },
  build: { outDir: 'dist', emptyOutDir: true },
});
