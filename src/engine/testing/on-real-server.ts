import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assess } from '../assess';
import type { Observation, TcpCheck } from '../check';
import { ProbeSession } from '../probe-session';
import { describeUnless } from './describe-unless';
import { binaryOf, freePort, RealServer } from './real-server';
import { Transport } from '../transport/transport';

export interface RealCase {
  readonly state: Observation['state'];
  /** How the server is started. It may write a configuration to the folder. */
  args(port: number, folder: string): Promise<readonly string[]> | readonly string[];
}

async function stateOf(check: TcpCheck, binary: string, { args }: RealCase): Promise<Observation> {
  const folder = await mkdtemp(join(tmpdir(), `${check.id}-`));
  const port = await freePort();
  const server = await RealServer.start(binary, port, await args(port, folder));
  try {
    const transport = new Transport({ userAgent: 'engine-tests', egressAllow: [{ address: '127.0.0.1', port }] });
    const session = new ProbeSession(transport, { signal: new AbortController().signal });
    return (await assess(check, { scheme: 'tcp', host: '127.0.0.1', port, path: '/' }, session)).observation;
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

/** Registers a test on a real server for each way of starting it, or skips them if the server is not installed. */
export function onRealServer(check: TcpCheck, program: string, cases: Readonly<Record<string, RealCase>>): void {
  const binary = binaryOf(program);
  const missing = binary === null ? 'it is not installed' : null;
  describeUnless(missing, `${check.id} on a real ${program}`, () => {
    it.each(Object.entries(cases))('%s', async (_what, one) => {
      expect(await stateOf(check, binary ?? '', one)).toMatchObject({ state: one.state });
    });
  });
}
