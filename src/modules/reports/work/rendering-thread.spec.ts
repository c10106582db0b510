import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unrenderable } from '../domain/unrenderable';
import { emptySnapshot } from '../rendering/testing/snapshots';
import { renderedBy, type ThreadLimits } from './rendering-thread';

const folder = mkdtempSync(join(tmpdir(), 'assay-rendering-'));
afterAll(() => rmSync(folder, { recursive: true }));

const never = new AbortController().signal;
const generous: ThreadLimits = { megabytes: 64, milliseconds: 30_000 };

/** What a thread with this program comes to. */
function runs(body: string, limits: Partial<ThreadLimits> = {}, signal = never): Promise<string> {
  const program = join(folder, `${Math.random()}.js`);
  writeFileSync(program, `const { parentPort, workerData } = require('node:worker_threads');\n${body}`);
  return renderedBy(program, emptySnapshot(), signal, { ...generous, ...limits }).then(String);
}

describe('a rendering in a thread', () => {
  it('answers the bytes of what it is given', async () => {
    const program = 'parentPort.postMessage({ content: Buffer.from(workerData.event.name) })';
    expect(await runs(program)).toBe(emptySnapshot().event.name);
  });

  it('says in words what cannot be rendered', async () => {
    const answer = runs("parentPort.postMessage({ unrenderable: 'There is nothing to say.' })");
    await expect(answer).rejects.toThrow(new Unrenderable('There is nothing to say.'));
  });

  it('that takes too long, or too much memory, is ended, and says so in words', async () => {
    await expect(runs('for (;;);', { milliseconds: 200 })).rejects.toThrow(
      new Unrenderable(
        'It takes more time than there is for one report. Narrow it, leave out the evidence, or choose another format.',
      ),
    );
    const hog = 'const all = []; for (;;) all.push(new Array(10_000).fill(all.length));';
    await expect(runs(hog, { megabytes: 16 })).rejects.toThrow(/^It takes more memory than there is/);
  });

  it('that fails or ends without a word fails the attempt, and another may do better', async () => {
    for (const [body, message] of [
      ["throw new TypeError('no')", 'no'],
      ['process.exit(0)', 'the rendering ended without a word'],
    ] as const) {
      const failure = runs(body);
      await expect(failure).rejects.toThrow(message);
      await expect(failure).rejects.not.toBeInstanceOf(Unrenderable);
    }
  });

  it('is told to stop first, for what it has begun outside of itself', async () => {
    const ended = join(folder, 'ended');
    const claim = new AbortController();
    const write = `require('node:fs').writeFileSync(${JSON.stringify(ended)}, word)`;
    const answer = runs(`parentPort.on('message', (word) => { ${write}; process.exit(); });`, {}, claim.signal);
    claim.abort(new Error('taken over'));
    await expect(answer).rejects.toThrow('taken over');
    expect(readFileSync(ended, 'utf8')).toBe('stop');
  });

  it('ends with its claim', async () => {
    const claim = new AbortController();
    const answer = runs('for (;;);', {}, claim.signal);
    claim.abort(new Error('taken over'));
    await expect(answer).rejects.toThrow('taken over');
  });

  it('is not begun for a claim that is lost already', async () => {
    const begun = join(folder, 'begun');
    const write = `require('node:fs').writeFileSync(${JSON.stringify(begun)}, ''); parentPort.postMessage({ content: [] })`;
    const lost = AbortSignal.abort(new Error('taken over'));
    await expect(runs(write, {}, lost)).rejects.toThrow('taken over');
    expect(existsSync(begun)).toBe(false);
  });
});
