import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import react from '@vitejs/plugin-react';
import { defineConfig, type Connect, type Plugin, type ViteDevServer } from 'vite';
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
  return {
    name: 'showcase-api',
    configureServer: async (server) => {
      await mount(server);
      tellTwoAddresses(server);
    },
    configurePreviewServer: mount,
  };
}

/** Two names of one machine are two people: a browser keeps the cookies of each apart. */
function tellTwoAddresses(server: ViteDevServer): void {
  server.printUrls = () => {
    const ada = new URL(server.resolvedUrls?.local[0] ?? 'http://127.0.0.1/');
    const grace = new URL('/?as=Grace', ada);
    grace.hostname = 'localhost';
    server.config.logger.info(
      `\n  Ada    ${ada}\n  Grace  ${grace}\n\n  Both may edit one issue: what one does, the other sees.\n`,
    );
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), restApi()],
  server: { host: '127.0.0.1', open: true },
  resolve: {
    alias: [
      { find: /^rtk-resource\/react$/, replacement: src('react/index.ts') },
      { find: /^rtk-resource\/devtools\/production$/, replacement: src('devtools/production.ts') },
      { find: /^rtk-resource\/offline$/, replacement: src('offline/index.ts') },
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
      'idb',
      'virtua',
    ],
  },
  build: { outDir: 'dist', emptyOutDir: true },
});
