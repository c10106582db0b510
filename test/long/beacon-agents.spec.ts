import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../src/engine/testing/real-server';
import { BeaconLinks } from '../../src/modules/beacons';
import { startWorker, useApi } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { startProcess } from '../support/processes';
import { type AgentCredentials, connectAgent } from '../support/test-agent';

/** bench/README.md has the figures that this prints. */
const make = new Factories(useApi());
const AGENTS = 200;
const BYTES = 200_000_000;
const IDLE_SECONDS = 20;

let target: { server: Server; port: number };

beforeAll(async () => {
  const chunk = Buffer.alloc(65_536, 'x');
  const server = createServer((socket) => {
    let left = BYTES;
    const send = (): void => {
      while (left > 0) {
        left -= chunk.length;
        if (!socket.write(chunk)) break;
      }
      if (left > 0) socket.once('drain', send);
      else socket.end();
    };
    socket.on('error', () => {});
    send();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  target = { server, port: (server.address() as AddressInfo).port };
});

afterAll(() => target.server.close());

const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** Seconds of CPU time so far. */
const cpuOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

async function megabytesPerSecond(open: () => Promise<Duplex>): Promise<number> {
  const started = performance.now();
  const stream = await open();
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await once(stream, 'end');
  expect(bytes).toBeGreaterThanOrEqual(BYTES);
  stream.destroy();
  return bytes / 1_000 / (performance.now() - started);
}

async function createBeacons(): Promise<(AgentCredentials & { organizationId: number })[]> {
  const beacons: (AgentCredentials & { organizationId: number })[] = [];
  while (beacons.length < AGENTS) {
    const tenant = await make.organization();
    for (let at = 0; at < 50; at += 1) {
      const { id, token } = await make.beacon(tenant.id);
      beacons.push({ id, token, organizationId: tenant.id });
    }
  }
  return beacons;
}

it(`one API process holds ${AGENTS} agents, and its streams are measured beside a direct connection`, async () => {
  const port = await freePort();
  const api = await startProcess('api', {
    PORT: String(port),
    HOST: '127.0.0.1',
    PORTAL_PORT: 'off',
    LOG_LEVEL: 'warn',
  });
  const pid = api.child.pid as number;
  const beacons = await createBeacons();
  await query(`UPDATE beacons SET allowed_cidrs = '{10.77.0.0/24}'`);
  await delay(5_000);
  const [memoryBefore, cpuBefore] = [memoryOf(pid), cpuOf(pid)];
  for (const beacon of beacons) await connectAgent(port, beacon, { ports: { '10.77.0.5:80': target.port } });
  await eventually(async () => {
    const [row] = await query<{ online: number }>('SELECT count(*)::int AS online FROM beacons WHERE status = 1');
    expect(row?.online).toBe(AGENTS);
  });
  const cpuConnected = cpuOf(pid);
  await delay(IDLE_SECONDS * 1_000);
  const idle = (cpuOf(pid) - cpuConnected) / IDLE_SECONDS;
  const memory = memoryOf(pid) - memoryBefore;

  const worker = await startWorker();
  const [beacon] = beacons as [(typeof beacons)[number]];
  const signal = new AbortController().signal;
  const link = await worker.context.get(BeaconLinks).open(beacon, { reference: 'throughput', attempt: 1 }, signal);
  const direct = await megabytesPerSecond(async () => connect({ port: target.port, host: '127.0.0.1' }));
  const linked = await megabytesPerSecond(() => link.connect({ address: '10.77.0.5', port: 80 }, signal));
  link.close();
  await worker.stop();

  process.stdout.write(
    [
      `memory of the API with ${AGENTS} agents: +${memory.toFixed(0)} MB, ${((memory / AGENTS) * 1_024).toFixed(0)} KB each`,
      `CPU to connect: ${(((cpuConnected - cpuBefore) / AGENTS) * 1_000).toFixed(1)} ms each; idle: ${(idle * 100).toFixed(1)} % of a core for all`,
      `throughput: direct ${direct.toFixed(0)} MB/s, through the relay and an agent ${linked.toFixed(0)} MB/s (${(linked / direct).toFixed(2)})`,
      '',
    ].join('\n'),
  );
  // One agent may cost what a connection of a browser costs, and not more.
  expect(memory / AGENTS).toBeLessThan(1);
  expect(linked / direct).toBeGreaterThan(0.002);
});
