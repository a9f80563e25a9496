import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, preview } from 'vite';
import { vi } from 'vitest';

export type Mode = 'development' | 'production';

/** An app as it is built, and where it is served. */
export interface Built {
  readonly base: string;
  close(): Promise<void>;
}

/** Builds an app, and serves it; in development, with all that React and Redux Toolkit warn of, its pages take half as long again. */
export async function serveBuilt(configFile: string, mode: Mode): Promise<Built> {
  const outDir = await mkdtemp(join(tmpdir(), 'built-'));
  const config = { configFile, logLevel: 'warn', build: { outDir, minify: false } } as const;
  vi.stubEnv('NODE_ENV', mode);
  await build({ ...config, mode });
  vi.unstubAllEnvs();
  const server = await preview({ ...config, preview: { port: 0, host: 'localhost' } });
  return {
    base: server.resolvedUrls?.local[0] ?? '',
    close: async () => {
      await server.close();
      await rm(outDir, { recursive: true });
    },
  };
}
