import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { LocalOptions } from './options';
import { hasData } from '../postgres/data-folder';
import { refuseRunningInstance } from '../postgres/instance-lock';
import { StartRefused } from '../postgres/start-refused';

interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/** Asks before `--reset` deletes data. Without a terminal it refuses, so that a script cannot delete data by accident. */
export async function confirmReset(
  { dataDir, yes }: Pick<LocalOptions, 'dataDir' | 'yes'>,
  { input, output }: Terminal,
): Promise<void> {
  if (!hasData(dataDir)) return;
  refuseRunningInstance(dataDir);
  if (yes) return;
  const what = `the database, the demo data and the secret key in ${dataDir}`;
  if (!input.isTTY) {
    throw new StartRefused(
      `--reset deletes ${what}. There is no terminal to confirm this, so nothing was deleted. ` +
        `To delete without a question, run: npm start -- --reset --yes`,
    );
  }
  const lines = createInterface({ input, output });
  const answer = new Promise<string>((resolve) => lines.question(`Delete ${what}? [y/N] `, resolve));
  // Ctrl-C and the end of the input close the interface without an answer.
  const text = await Promise.race([answer, once(lines, 'close').then(() => '')]);
  lines.close();
  if (!/^y(es)?$/i.test(text.trim())) throw new StartRefused('Nothing was deleted.');
}
