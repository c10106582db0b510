import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReportGenerationError } from '../domain/report.errors';
import { finding } from '../rendering/testing/snapshot-of';
import { emptySnapshot } from '../rendering/testing/snapshots';
import { longestTurnDuring } from '../../../../test/support/longest-turn';
import { eventually } from '../../../../test/support/eventually';
import { type ProcessLimits, renderInProcess } from './rendering-process';

const folder = mkdtempSync(join(tmpdir(), 'assay-rendering-'));
afterAll(() => rmSync(folder, { recursive: true }));

const never = new AbortController().signal;
const generous: ProcessLimits = { megabytes: 512, milliseconds: 30_000 };
const forever = 'for (;;);';

function writtenProgram(body: string): string {
  const program = join(folder, `${Math.random()}.js`);
  writeFileSync(program, body);
  return program;
}

/** Runs these lines of JavaScript in place of the rendering program. */
function run(body: string, limits: Partial<ProcessLimits> = {}, signal = never): Promise<string> {
  return renderInProcess(writtenProgram(body), emptySnapshot(), signal, { ...generous, ...limits }).then(String);
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Writes its process id to a file and never ends, like a typesetter that hangs. */
const hangs = (file: string): string =>
  `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); ${forever}`;

describe('RenderingProcess', () => {
  it('gives the snapshot to the program and returns the bytes that the program writes', async () => {
    const program =
      "let all = ''; process.stdin.on('data', (part) => (all += part)).on('end', () => process.stdout.end(JSON.parse(all).event.name))";
    expect(await run(program)).toBe(emptySnapshot().event?.name);
  });

  it('gives other work turns while it sends the findings of a large report', async () => {
    const findings = Array.from({ length: 3_000 }, (_, id) => ({
      ...finding(id, { title: 'x' }),
      md: 'x'.repeat(10_000),
    }));
    const program = writtenProgram(
      "let size = 0; process.stdin.on('data', (part) => (size += part.length)).on('end', () => process.stdout.end(String(size)))",
    );
    const snapshot = { ...emptySnapshot(), findings };
    const whole = await longestTurnDuring(async () => JSON.stringify(snapshot));
    const longest: number[] = [];
    // A busy machine makes one turn of them longer.
    for (let round = 0; round < 3; round += 1) {
      let size = '';
      longest.push(
        await longestTurnDuring(async () => {
          size = String(await renderInProcess(program, snapshot, never, generous));
        }),
      );
      expect(Number(size)).toBe(Buffer.byteLength(JSON.stringify(snapshot)));
    }
    expect(Math.min(...longest)).toBeLessThan(whole / 2);
  });

  it('rejects with the sentence of a program that cannot render the report', async () => {
    await expect(run("process.stdout.end('No finding has a CVE.'); process.exitCode = 3")).rejects.toThrow(
      new ReportGenerationError('No finding has a CVE.'),
    );
  });

  it('kills a program that is busy for longer than the time limit', async () => {
    const pidFile = join(folder, 'busy');
    await expect(run(hangs(pidFile), { milliseconds: 5_000 })).rejects.toThrow(
      new ReportGenerationError(
        'Rendering it needs more time than one report may use. Narrow it (a shorter period, a higher min_severity, fewer statuses), leave out the evidence (include_evidence), or choose another format.',
      ),
    );
    expect(isRunning(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
  });

  it('refuses a report whose JavaScript objects need more than the memory limit', async () => {
    const program = 'const all = []; for (;;) all.push(new Array(10_000).fill(all.length));';
    await expect(run(program, { megabytes: 64 })).rejects.toThrow(/^Rendering it needs more memory than/);
  });

  /** The native typesetter allocates outside of the JavaScript heap. */
  (existsSync('/proc/self/status') ? it : it.skip)(
    'kills a busy program whose native memory exceeds the memory limit',
    async () => {
      const program = `const all = Array.from({ length: 30 }, () => Buffer.alloc(16 * 2 ** 20, 1)); ${forever}`;
      await expect(run(program, { megabytes: 256 })).rejects.toThrow(/^Rendering it needs more memory than/);
    },
  );

  it('fails the attempt, which may be repeated, when the program fails or writes nothing', async () => {
    for (const [body, message] of [
      ["throw new TypeError('no')", /ended with 1: [^]*TypeError: no/],
      ['process.exit(0)', /ended with 0/],
    ] as const) {
      const failure = run(body);
      await expect(failure).rejects.toThrow(message);
      await expect(failure).rejects.not.toBeInstanceOf(ReportGenerationError);
    }
  });

  it('kills a busy program when the worker loses its claim', async () => {
    const pidFile = join(folder, 'lost');
    const claim = new AbortController();
    const answer = run(hangs(pidFile), {}, claim.signal);
    answer.catch(() => undefined);
    await eventually(async () => expect(readFileSync(pidFile, 'utf8')).not.toBe(''));
    claim.abort(new Error('lease lost'));
    await expect(answer).rejects.toThrow('aborted');
    await eventually(async () => expect(isRunning(Number(readFileSync(pidFile, 'utf8')))).toBe(false));
  });

  it('does not start a program for a claim that is already lost', async () => {
    const started = join(folder, 'started');
    const write = `require('node:fs').writeFileSync(${JSON.stringify(started)}, '')`;
    await expect(run(write, {}, AbortSignal.abort(new Error('lease lost')))).rejects.toThrow('lease lost');
    expect(existsSync(started)).toBe(false);
  });

  it('does not pass the environment of the worker to the program', async () => {
    process.env['ASSAY_SECRET_FOR_TEST'] = 'secret';
    const names = await run('process.stdout.end(Object.keys(process.env).join())');
    delete process.env['ASSAY_SECRET_FOR_TEST'];
    expect(names).not.toContain('ASSAY_SECRET_FOR_TEST');
  });

  (process.platform === 'win32' ? it.skip : it)(
    'limits the processor time of the program, for the case that the worker is killed',
    async () => {
      const program = "process.stdout.end(require('node:child_process').execSync('ulimit -t').toString())";
      expect(await run(program, { milliseconds: 30_000 })).toBe('31\n');
    },
  );
});
