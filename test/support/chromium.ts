import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import type { RunningApi } from './api';
import type { Person } from './factories';
import { type RunningPortal, signedInAs } from './portal';
import { browserBinary } from './programs';

/** Where no browser is installed, its tests are skipped, and the last line of the run names its package. */
export const describeInBrowser = browserBinary() === null ? describe.skip : describe;

export type RunningBrowser = Pick<Browser, 'newContext' | 'newPage'>;

let shared: Promise<Browser> | undefined;

/** Ends with the suite: to start one takes as long as several tests. */
afterAll(async () => {
  await (await shared)?.close();
});

/** All suites load this file, and few need what takes a second to load. */
async function launch(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  // Chromium has no sandbox for the superuser.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: browserBinary() ?? '', args });
}

/** One browser for all tests of a suite; each test opens windows of its own. */
export function useBrowser(): RunningBrowser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await (shared ??= launch());
  });
  const running = (): Browser => {
    if (browser === undefined) throw new Error('The browser has not started.');
    return browser;
  };
  return {
    newContext: (options) => running().newContext(options),
    newPage: (options) => running().newPage(options),
  };
}

/** A window in which the person is signed in. */
export async function windowOf(
  browser: RunningBrowser,
  { api, portal, person }: { readonly api: RunningApi; readonly portal: RunningPortal; readonly person: Person },
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const value = (await signedInAs(api, portal, person)).cookie('assay') ?? '';
  await context.addCookies([{ name: 'assay', value, url: portal.url }]);
  return context;
}
