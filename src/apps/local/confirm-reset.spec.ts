import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { confirmReset } from './confirm-reset';
import { openDataFolder } from '../postgres/data-folder';
import { processStart } from '../postgres/processes';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'assay-spec-'));
  openDataFolder(dataDir);
  mkdirSync(join(dataDir, 'cluster'));
});

afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

/** Answers the question on a terminal, or closes it like Ctrl-D. */
async function askOnTerminal(answer?: string): Promise<string> {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  const asked = confirmReset({ dataDir, yes: false }, { input, output });
  input.end(answer);
  await asked;
  return String(output.read());
}

const withoutTerminal = (yes: boolean): Promise<void> =>
  confirmReset({ dataDir, yes }, { input: new PassThrough(), output: new PassThrough() });

describe('npm start -- --reset', () => {
  it.each(['y\n', 'YES\n'])('names what it deletes, and accepts %j', async (answer) => {
    expect(await askOnTerminal(answer)).toContain(
      `Delete the database, the demo data and the secret key in ${dataDir}? [y/N]`,
    );
  });

  it.each([['\n'], ['n\n'], ['yesterday\n'], [undefined]])('deletes nothing after %j', async (answer) => {
    await expect(askOnTerminal(answer)).rejects.toThrow('Nothing was deleted.');
  });

  it('refuses without a terminal, and does not ask with --yes', async () => {
    await expect(withoutTerminal(false)).rejects.toThrow(/no terminal[^]*npm start -- --reset --yes/);
    await withoutTerminal(true);
  });

  it('does not ask if there is nothing to delete', async () => {
    rmSync(join(dataDir, 'cluster'), { recursive: true });
    await withoutTerminal(false);
    rmSync(dataDir, { recursive: true });
    await withoutTerminal(false);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('does not ask while an instance is running', async () => {
    const holder = { pid: process.pid, started: processStart(process.pid) };
    writeFileSync(join(dataDir, 'instance.json'), JSON.stringify(holder));
    await expect(askOnTerminal('y\n')).rejects.toThrow('Another Assay');
  });
});
