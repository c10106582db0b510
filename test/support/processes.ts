import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../../src/engine/testing/real-server';
import { testDatabase } from './database';

/** The environment variable with the folder of the compiled processes. */
export const distKey = 'ASSAY_TEST_DIST';

export const programOf = (name: 'api' | 'worker' | 'cli'): string =>
  join(process.env[distKey] ?? '', 'src/apps', name, 'main.js');

export interface RunningProcess {
  readonly child: ChildProcess;
  /** The output so far, stdout and stderr. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  readonly exited: Promise<number | null>;
}

/** Starts a compiled process on the database of this Jest worker; resolves when it is ready. */
export async function startProcess(
  name: 'api' | 'worker',
  environment: Record<string, string> = {},
): Promise<RunningProcess> {
  const child = fork(programOf(name), {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      DATABASE_URL: (await testDatabase()).appUrl,
      LOG_FORMAT: 'json',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', () => reject(new Error(`the ${name} ended before it was ready:\n${output}`)));
  });
  return { child, output: () => output, kill: (signal) => void child.kill(signal), exited };
}

export interface ApiProcess extends RunningProcess {
  readonly url: string;
  readonly port: number;
}

export async function startApiProcess(environment: Record<string, string> = {}): Promise<ApiProcess> {
  const port = await freePort();
  const running = await startProcess('api', { PORT: String(port), HOST: '127.0.0.1', ...environment });
  return { ...running, port, url: `http://127.0.0.1:${port}` };
}

/** One worker process for all tests of a file. */
export function useWorkerProcess(environment: Record<string, string> = {}): void {
  let running: RunningProcess | undefined;
  beforeAll(async () => {
    running = await startProcess('worker', environment);
  });
  afterAll(async () => {
    running?.kill('SIGTERM');
    await running?.exited;
  });
}
