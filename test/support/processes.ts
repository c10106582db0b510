import { type ChildProcess, fork, type ForkOptions } from 'node:child_process';
import { freePort } from '../../src/engine/testing/real-server';
import { testDatabase } from './database';
import { highLimits } from './high-limits';
import { programOf } from './programs';

export interface RunningProcess {
  readonly child: ChildProcess;
  /** The output so far, stdout and stderr. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  readonly exited: Promise<number | null>;
}

/** Processes of the current test. A test that fails leaves them behind, and they would take the work of later tests. */
const ofTest = new Set<RunningProcess>();

afterEach(async () => {
  for (const left of ofTest) left.kill('SIGKILL');
  await Promise.all(Array.from(ofTest, ({ exited }) => exited));
  ofTest.clear();
});

/** Starts a compiled process on the database of this Jest worker; resolves when it is ready. It is killed after the test. */
export function startProcess(
  name: 'api' | 'worker' | 'callbacks',
  environment: Record<string, string> = {},
): Promise<RunningProcess> {
  return launchProcess(name, environment, (running) => ofTest.add(running));
}

/** Starts a process that the caller stops, because it runs for several tests. `begun` receives it before it is ready. */
export async function launchProcess(
  name: 'api' | 'worker' | 'callbacks',
  environment: Record<string, string>,
  begun: (running: RunningProcess) => void,
  options: ForkOptions = {},
): Promise<RunningProcess> {
  const child = fork(programOf(name), {
    ...options,
    env: {
      ...process.env,
      NODE_ENV: 'test',
      DATABASE_URL: (await testDatabase()).appUrl,
      LOG_FORMAT: 'json',
      ...highLimits,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const running: RunningProcess = { child, output: () => output, kill: (signal) => void child.kill(signal), exited };
  begun(running);
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    // Not at 'exit': the last lines of the output may still be on their way.
    child.once('close', () => reject(new Error(`the ${name} ended before it was ready:\n${output}`)));
  });
  return running;
}

export interface ApiProcess extends RunningProcess {
  readonly url: string;
  readonly port: number;
}

export async function startApiProcess(environment: Record<string, string> = {}): Promise<ApiProcess> {
  const port = await freePort();
  const running = await startProcess('api', {
    PORT: String(port),
    PORTAL_PORT: 'off',
    HOST: '127.0.0.1',
    ...environment,
  });
  return { ...running, port, url: `http://127.0.0.1:${port}` };
}

/** One worker process for all tests of a file. */
export function useWorkerProcess(environment: Record<string, string> = {}): void {
  let running: RunningProcess | undefined;
  beforeAll(async () => {
    await launchProcess('worker', environment, (begun) => (running = begun));
  });
  afterAll(async () => {
    running?.kill('SIGTERM');
    await running?.exited;
  });
}
