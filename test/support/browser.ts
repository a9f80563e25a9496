import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright';
import { slowness } from './slowness.js';

/** The first is Chromium without windows, which takes half the time. */
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Debian's Chromium, kept from calling out. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? installed.find((path) => existsSync(path)) ?? '/usr/bin/chromium',
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Collects what a page complains about. */
export function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    if (/^(?:error|warning)$/.test(message.type()) && !slowness.test(text)) found.push(text);
  });
  page.on('pageerror', (error) => found.push(String(error)));
  return found;
}
