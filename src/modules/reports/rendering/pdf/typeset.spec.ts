import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { typeset } from './typesetting';

const limits = { mostMegabytes: 1_024, longestMs: 60_000 };

describe('the process that sets a document', () => {
  it('ends when whoever waits for it is gone, in whatever it is just doing', async () => {
    const child = spawn(process.execPath, [join(__dirname, 'typeset.cjs'), JSON.stringify(limits)], {
      env: {},
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    const ended = once(child, 'close');
    // It waits for the document, and nobody listens to what it might say.
    for (const stream of [child.stdout, child.stderr, child.stdio[3]]) stream?.destroy();
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  it('says what was wrong with a document that it cannot set', async () => {
    await expect(typeset({ nothing: true }, [], limits)).rejects.toThrow(/the typesetter ended with 1:[^]*look/);
  });
});
