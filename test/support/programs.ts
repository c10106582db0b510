import { join } from 'node:path';
import { binaryOf } from '../../src/engine/testing/real-server';

/** The environment variable with the folder of the compiled programs. */
export const distKey = 'ASSAY_TEST_DIST';

export const programOf = (name: 'api' | 'worker' | 'cli' | 'callbacks'): string =>
  join(process.env[distKey] ?? '', 'src/apps', name, 'main.js');

/** The browsers that the tests can drive. The first draws no window, and takes a third of the processor time. */
const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** The path of an installed browser, or null; then its tests are skipped. */
export const browserBinary = (): string | null => BROWSERS.map(binaryOf).find((path) => path !== null) ?? null;
