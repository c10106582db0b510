import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { turnsDuring } from '../engine/testing/turns';
import { readInThread, type ScannedRow, UnreadableFileError } from '.';
import type { ThreadTerms } from './read-in-thread';
import type { ThreadTask } from './row-batch';
import { exampleFiles, nucleiResult } from './testing/example-files';
import { chunksOf, readRows } from './testing/read-rows';

const never = new AbortController().signal;

const folder = mkdtempSync(join(tmpdir(), 'assay-reading-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A thread that runs these lines of JavaScript for each message, instead of reading the file. */
function programOf(lines: string): string {
  const program = join(folder, `${Math.random()}.cjs`);
  const answer = `const answer = (more) => parentPort.postMessage({ rows: [], format: null, failure: null, ...more });`;
  writeFileSync(
    program,
    `const { parentPort } = require('node:worker_threads'); ${answer}
     parentPort.on('message', () => { ${lines} }); answer({ needs: 'part' });`,
  );
  return program;
}

const spin = (milliseconds: number): string =>
  `for (const until = performance.now() + ${milliseconds}; performance.now() < until;);`;

function readFile(
  content: string | Buffer | AsyncIterable<Buffer>,
  { task = {}, terms = {} }: { task?: Partial<ThreadTask>; terms?: Partial<ThreadTerms> } = {},
) {
  const input = typeof content === 'string' ? Buffer.from(content) : content;
  return readInThread(
    Buffer.isBuffer(input) ? chunksOf(input) : input,
    { format: null, skippedRows: 0, ...task },
    { signal: never, inTurn: (step) => step(), ...terms },
  );
}

interface ReadBatches {
  readonly sizes: number[];
  readonly rows: ScannedRow[];
  readonly error: UnreadableFileError | null;
}

async function batchesOf(batches: ReturnType<typeof readInThread>): Promise<ReadBatches> {
  const read: { sizes: number[]; rows: ScannedRow[] } = { sizes: [], rows: [] };
  try {
    for await (const { rows } of batches) {
      read.sizes.push(rows.length);
      read.rows.push(...rows);
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    return { ...read, error };
  }
  return { ...read, error: null };
}

const results = (count: number, more: object = {}): string =>
  `${JSON.stringify({ ...nucleiResult, ...more })}\n`.repeat(count);

describe('a file that is read in a thread', () => {
  it.each(Object.entries(exampleFiles))('has the rows that it has without one: %s', async (_, content) => {
    const bytes = Buffer.from(content);
    const cuts = [1, 100, 101, Math.floor(bytes.length / 2)];
    const { rows, error } = await batchesOf(readFile(chunksOf(bytes, cuts)));
    expect({ rows, error }).toEqual(await readRows(bytes));
  });

  it('reports how much of the file was read, also while a part of it has more rows', async () => {
    const content = results(950);
    const size = Buffer.byteLength(content);
    const read: [number, number][] = [];
    let rows = 0;
    for await (const batch of readFile(content)) read.push([(rows += batch.rows.length), batch.bytesRead]);
    expect(read.at(-1)).toEqual([950, size]);
    // The format is recognized by the first 64 KiB.
    for (const [count, bytes] of read.slice(0, -1)) expect(bytes).toBeLessThan((count / 950) * size + 66_000);
    expect(new Set(read.map(([, bytes]) => bytes)).size).toBeGreaterThan(3);
  });

  it('has the rows before the line that cannot be read, and its error', async () => {
    const content = `${results(150)}{"template-id":`;
    const { rows, error } = await batchesOf(readFile(content));
    expect(rows).toHaveLength(150);
    expect(error).toEqual((await readRows(content)).error);
  });

  it('comes in batches of 100 rows, or fewer large ones, with its format', async () => {
    expect((await batchesOf(readFile(results(250)))).sizes).toEqual([100, 100, 50]);
    const large = results(120, { info: { ...nucleiResult.info, description: 'x'.repeat(8_000) } });
    expect((await batchesOf(readFile(large))).sizes).toEqual([55, 55, 10]);
    for await (const { format } of readFile(results(250))) expect(format).toBe('nuclei-jsonl');
  });

  it('has its format also without rows', async () => {
    const batches: unknown[] = [];
    for await (const { rows, format } of readFile('{"version":"2.1.0","runs":[]}')) batches.push({ rows, format });
    expect(batches).toEqual([{ rows: [], format: 'sarif' }]);
  });

  it('begins after the rows that an earlier attempt has read', async () => {
    const content = exampleFiles.csv;
    const all = await readRows(content);
    const { rows } = await batchesOf(readFile(content, { task: { skippedRows: 1 } }));
    expect(rows).toEqual(all.rows.slice(1));
  });

  it('is not read further while a batch is used', async () => {
    let parts = 0;
    async function* endless() {
      for (;;) {
        parts += 1;
        yield Buffer.from(results(100));
      }
    }
    const batches = readFile(endless());
    await batches.next();
    await batches.next();
    const before = parts;
    await turnsDuring(() => new Promise((resolve) => setTimeout(resolve, 200)));
    expect(parts).toBe(before);
    await batches.return(undefined);
  });

  it('leaves the event loop free while it is slow to read', async () => {
    // A record of many elements: a second or more of work without a row.
    const content = `<issues><issue>${'<a/>'.repeat(200_000)}</issue></issues>`;
    const turns = await turnsDuring(() => batchesOf(readFile(content)));
    expect(turns).toBeGreaterThan(200);
  });
});

describe('the thread of a file', () => {
  it('ends when reading takes too long, and the error names the last line that was read', async () => {
    const program = programOf(`
      if (globalThis.count === undefined) { globalThis.count = 1; answer({ needs: 'turn', rows: [{ refused: { line: 7, reason: 'x' } }] }); }
      else { ${spin(20_000)} answer({ needs: 'nothing' }); }`);
    const { rows, error } = await batchesOf(readFile('x', { terms: { program, milliseconds: 1_000 } }));
    expect(rows).toHaveLength(1);
    expect(error?.message).toBe(
      'Line 7: From here on, the file takes too long to read: split it, or export it without requests and responses.',
    );
  });

  it('ends when its steps together take too long', async () => {
    const program = programOf(
      `${spin(300)} globalThis.steps = (globalThis.steps ?? 0) + 1; answer({ needs: steps < 10 ? 'turn' : 'nothing' });`,
    );
    const { error } = await batchesOf(readFile('x', { terms: { program, milliseconds: 1_000 } }));
    expect(error?.reason).toContain('takes too long to read');
  });

  it('ends when it takes too much memory', async () => {
    const program = programOf('const all = []; for (;;) all.push(new Array(10_000).fill(all.length));');
    const { error } = await batchesOf(readFile('x', { terms: { program, megabytes: 16 } }));
    expect(error?.reason).toContain('takes too much memory to read');
  });

  it('ends at once when the import is canceled, and closes the file', async () => {
    const abort = new AbortController();
    let isClosed = false;
    async function* parts() {
      try {
        yield Buffer.from('x');
      } finally {
        isClosed = true;
      }
    }
    const failures: unknown[] = [];
    const inTurn: ThreadTerms['inTurn'] = async (step) => {
      try {
        return await step();
      } catch (error) {
        failures.push(error);
        throw error;
      }
    };
    const terms = { program: programOf(`${spin(20_000)} answer({ needs: 'nothing' });`), signal: abort.signal, inTurn };
    const reading = batchesOf(readFile(parts(), { terms }));
    setTimeout(() => abort.abort(new Error('canceled')), 500);
    await expect(reading).rejects.toThrow('canceled');
    expect(failures).toEqual([new Error('the thread ended without an answer')]);
    expect(isClosed).toBe(true);
  });

  it('reports an error of its program as it is', async () => {
    const reading = batchesOf(readFile('x', { terms: { program: programOf(`throw new TypeError('a bug')`) } }));
    await expect(reading).rejects.toThrow('a bug');
  });

  it('has no environment variables', async () => {
    const program = programOf(
      `answer({ needs: 'nothing', failure: { line: 1, reason: Object.keys(process.env).join() } })`,
    );
    expect((await batchesOf(readFile('x', { terms: { program } }))).error?.reason).toBe('');
  });
});
