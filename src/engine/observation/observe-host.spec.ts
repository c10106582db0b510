import { createServer, type Server, type Socket } from 'node:net';
import { Cidr } from '../../kernel/cidr';
import { freePort } from '../testing/real-server';
import { ExchangeError, type FailureCode } from '../transport/exchange';
import type { Route } from '../transport/route';
import { PACE_OF_NETWORK } from '../transport/limits';
import { Transport, type TransportOptions } from '../transport/transport';
import { connected } from '../transport/dialler';
import type { HostSeen } from './host-seen';
import { type HostToObserve, type ObservationOptions, observeHost } from './observe-host';

const signal = new AbortController().signal;
const WAITS = {
  greeting: { likely: 300, unlikely: 20, unknown: 60, late: 100 },
  quiet: 20,
  hello: 60,
  tls: 60,
  http: 60,
  port: 5_000,
};
const options: ObservationOptions = {
  paces: { host: { perSecond: 1_000, concurrency: 4 }, shared: { perSecond: 1_000, concurrency: 4 } },
  waits: WAITS,
};

const ADDRESS = '10.50.0.7';

/** A beacon behind which each port answers as configured. */
class PortsBehind implements Route {
  readonly key = 'beacon 1';
  readonly cidrs = [Cidr.parse('10.50.0.0/16', 'cidr')];
  readonly dialled: number[] = [];

  constructor(private readonly answer: (port: number, dials: number) => FailureCode | number) {}

  async isProven(): Promise<boolean> {
    return true;
  }

  async resolve(): Promise<string[]> {
    return [ADDRESS];
  }

  /** Fails with the code, or connects to the port of this machine. */
  async connect({ port }: { port: number }) {
    this.dialled.push(port);
    const answer = this.answer(port, this.dialled.length);
    if (typeof answer === 'number')
      return connected({ address: '127.0.0.1', port: answer }, 5_000, new AbortController().signal);
    throw new ExchangeError(answer, 'no');
  }
}

const look = (
  route: Route,
  ports: readonly number[],
  more: Partial<ObservationOptions> = {},
  url: HostToObserve['url'] = null,
): Promise<HostSeen> =>
  observeHost(
    new Transport({ userAgent: 'engine-spec' }),
    { host: ADDRESS, address: ADDRESS, ports, url },
    { signal, route },
    { ...options, ...more },
  );

const statesOf = ({ ports }: HostSeen) => Object.fromEntries(ports.map(({ port, state }) => [port, state]));
const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_one, at) => first + at);

const sockets = new Set<Socket>();
let server: Server | null = null;
const heard: string[] = [];

/** Returns the port of a server with this behavior. */
async function listen(behave: (socket: Socket) => void = () => {}): Promise<number> {
  const port = await freePort();
  const started = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => heard.push(String(data)));
    behave(socket);
  });
  server = started;
  await new Promise<void>((resolve) => {
    started.listen(port, '127.0.0.1', resolve);
  });
  return port;
}

const ssh = (socket: Socket): void => {
  socket.write('SSH-2.0-OpenSSH_9.2p1\r\n');
  socket.once('data', () => socket.write(Buffer.from([0, 0, 0, 12, 4, 20, 1, 2])));
};

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  server?.close();
  heard.length = 0;
});

describe('observing a host', () => {
  it('distinguishes open, closed and filtered ports', async () => {
    const open = await listen(ssh);
    const closed = await freePort();
    const entries = [open, closed].map((port) => ({ address: '127.0.0.1', port }));
    const target = { host: '127.0.0.1', address: '127.0.0.1', ports: [open, closed, 1] };
    const transport = new Transport({ userAgent: 'engine-spec', egressAllow: entries } satisfies TransportOptions);
    const seen = await observeHost(transport, target, { signal }, options);
    expect(seen).toMatchObject({ address: '127.0.0.1', stopped: null });
    // The third port may not be dialled, so nothing is known about it.
    expect(statesOf(seen)).toEqual({ [open]: 'open', [closed]: 'closed' });
    expect(seen.ports.find(({ port }) => port === open)).toMatchObject({
      service: 'ssh',
      technologies: [{ name: 'OpenSSH', version: '9.2p1', source: `greeting of ssh at port ${open}` }],
    });
  });

  it.each([
    ['refused', 'closed'],
    ['reset', 'closed'],
    ['timeout', 'filtered'],
    ['unreachable', 'filtered'],
  ] as const)('shows a port whose dial behind a beacon ended with "%s" as %s', async (code, state) => {
    expect(statesOf(await look(new PortsBehind(() => code), [80]))).toEqual({ 80: state });
  });

  it('names the reason where no port may be dialled', async () => {
    const seen = await look(new PortsBehind(() => 'egress'), [80, 443]);
    expect(seen).toEqual({ address: ADDRESS, ports: [], stopped: 'no' });
  });

  it('dials no address outside of the blocks of the beacon', async () => {
    const route = new PortsBehind(() => 'refused');
    const transport = new Transport({ userAgent: 'engine-spec' });
    const target = { host: '10.60.0.1', address: '10.60.0.1', ports: [80] };
    const seen = await observeHost(transport, target, { signal, route }, options);
    expect([seen.ports, route.dialled]).toEqual([[], []]);
  });

  it('sends nothing to ports of printers and controllers, and only connects', async () => {
    const printer = await listen(ssh);
    const route = new PortsBehind(() => printer);
    const seen = await look(route, [9100, 502]);
    expect(statesOf(seen)).toEqual({ 502: 'open', 9100: 'open' });
    expect(seen.ports.map(({ service }) => service)).toEqual([null, null]);
    expect([route.dialled.toSorted((a, b) => a - b), heard]).toEqual([[502, 9100], []]);
  });

  it('asks a port of printers that a URL names for its page, and for nothing else', async () => {
    const web = await listen((socket) => {
      socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nup'));
    });
    const route = new PortsBehind(() => web);
    const seen = await look(route, [9100, 9101, 502], {}, { port: 9100, isTls: false });
    expect(Object.fromEntries(seen.ports.map(({ port, service }) => [port, service]))).toEqual({
      502: null,
      9100: 'http',
      9101: null,
    });
    expect(new Set(heard.map((text) => text.split(' ', 1)[0]))).toEqual(new Set(['GET']));
    expect((await look(route, [502], {}, { port: 502, isTls: false })).ports[0]?.service).toBeNull();
  });

  it('asks a printer that a URL names for a page once', async () => {
    const printer = await listen();
    await look(new PortsBehind(() => printer), [9100], {}, { port: 9100, isTls: false });
    expect(heard).toEqual([expect.stringMatching(/^GET \/ HTTP/)]);
  });

  it('lists a tarpit, which sends a line now and then, as open', async () => {
    const tarpit = await listen((socket) => {
      const line = (): boolean => socket.write(`${Math.random().toString(36).slice(2)}\r\n`);
      line();
      const timer = setInterval(line, 50);
      socket.on('close', () => clearInterval(timer));
    });
    const seen = await look(new PortsBehind(() => tarpit), [22, 4_000]);
    expect(statesOf(seen)).toEqual({ 22: 'open', 4000: 'open' });
    expect(seen.ports.map(({ service }) => service)).toEqual([null, null]);
  });

  it('continues while many ports are filtered and the host still answers', async () => {
    const route = new PortsBehind((port) => (port === 80 ? 'refused' : 'timeout'));
    const seen = await look(route, [80, ...range(1_000, 1_089)]);
    expect(seen.stopped).toBeNull();
    expect(seen.ports).toHaveLength(91);
    // Asked again after 8, 16, 32 and 64 silent ports.
    expect(route.dialled.filter((port) => port === 80).length).toBe(5);
  });

  it('gives up on a host that stops answering, and says nothing about the ports since then', async () => {
    const route = new PortsBehind((_port, dials) => (dials <= 10 ? 'refused' : 'timeout'));
    const seen = await look(route, range(1_000, 1_999));
    expect(seen.stopped).toBe('the host stopped answering');
    const closed = seen.ports.filter(({ state }) => state === 'closed').map(({ port }) => port);
    expect(closed).toEqual(route.dialled.slice(0, 10).toSorted((a, b) => a - b));
    // Ports that were dialled at the same time as the last port that answered.
    expect(seen.ports.length - closed.length).toBeLessThan(4);
    expect(route.dialled.length).toBeLessThan(100);
  });

  it('gives up on a host that never answers after a hundred ports', async () => {
    const route = new PortsBehind(() => 'timeout');
    const seen = await look(route, range(1_000, 1_999));
    expect(seen.stopped).toBe('the host answered on none of the first 100 ports');
    expect(route.dialled.length).toBeLessThan(110);
  });

  it('dials the ports of a host that accepts every connection and says nothing only a few times', async () => {
    const mute = await listen();
    const route = new PortsBehind(() => mute);
    const seen = await look(route, range(4_000, 4_011));
    expect(new Set(seen.ports.map(({ state, service }) => `${state} ${service}`))).toEqual(new Set(['open null']));
    const dialsOf = (port: number): number => route.dialled.filter((one) => one === port).length;
    expect(dialsOf(4_000)).toBeGreaterThan(10);
    expect(dialsOf(4_011)).toBeLessThanOrEqual(3);
  });

  it('has no more connections at a time than the pace allows', async () => {
    const mute = await listen();
    let most = 0;
    const route = new PortsBehind(() => {
      most = Math.max(most, [...sockets].filter((socket) => !socket.destroyed).length);
      return mute;
    });
    await look(route, range(4_000, 4_007), {
      paces: { host: { perSecond: 1_000, concurrency: 2 }, shared: { perSecond: 1_000, concurrency: 32 } },
    });
    expect(most).toBeLessThanOrEqual(4);
  });

  it('shares the connections of a beacon between its hosts', async () => {
    const route = new PortsBehind(() => 'refused');
    const transport = new Transport({ userAgent: 'engine-spec' });
    const paces = { host: { perSecond: 1_000, concurrency: 8 }, shared: { perSecond: 20, concurrency: 8 } };
    const before = performance.now();
    await Promise.all(
      ['10.50.0.8', '10.50.0.9'].map((address) =>
        observeHost(
          transport,
          { host: address, address, ports: range(4_000, 4_004) },
          { signal, route },
          { ...options, paces },
        ),
      ),
    );
    expect(performance.now() - before).toBeGreaterThan(9 * 50 - 20);
  });

  it('sends each request at the pace of requests, also those on one connection', async () => {
    const times: number[] = [];
    let isOpen = false;
    const web = await listen((socket) => {
      isOpen = true;
      socket.on('data', () => {
        times.push(performance.now());
        socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno');
      });
    });
    const transport = new Transport({ userAgent: 'engine-spec', limits: { perSecond: 10 } });
    const target = { host: ADDRESS, address: ADDRESS, ports: [80] };
    // The exchange has less time than its requests have to wait for their turns.
    const waits = { ...WAITS, http: 1_000, port: 150 };
    const seen = await observeHost(
      transport,
      target,
      { signal, route: new PortsBehind(() => web) },
      { ...options, waits },
    );
    expect([isOpen, seen.ports[0]?.service, times.length > 2]).toEqual([true, 'http', true]);
    const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(80);
  });

  it('sends requests at the lower pace of an event', async () => {
    const times: number[] = [];
    const web = await listen((socket) => {
      socket.on('data', () => {
        times.push(performance.now());
        socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno');
      });
    });
    const transport = new Transport({ userAgent: 'engine-spec', limits: { perSecond: 1_000 } });
    const target = { host: ADDRESS, address: ADDRESS, ports: [80] };
    const host = { perSecond: 1_000, concurrency: 4 };
    await observeHost(
      transport,
      target,
      { signal, route: new PortsBehind(() => web) },
      { paces: { host, shared: PACE_OF_NETWORK, requestsPerSecond: 10 }, waits: { ...WAITS, http: 1_000 } },
    );
    expect(times.at(-1)).toBeGreaterThan((times[0] ?? Infinity) + (times.length - 1) * 80);
  });

  it('asks again on another connection where the server ended one while a request waited for its turn', async () => {
    const paths: string[] = [];
    const web = await listen((socket) => {
      socket.on('data', (data) => {
        const [, path = ''] = String(data).split(' ');
        paths.push(path);
        socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno');
        setTimeout(() => socket.end(), 20);
      });
    });
    const transport = new Transport({ userAgent: 'engine-spec', limits: { perSecond: 10 } });
    const target = { host: ADDRESS, address: ADDRESS, ports: [80] };
    await observeHost(
      transport,
      target,
      { signal, route: new PortsBehind(() => web) },
      {
        ...options,
        waits: { ...WAITS, http: 1_000 },
      },
    );
    expect(paths).toEqual(expect.arrayContaining(['/', '/favicon.ico', expect.stringMatching(/^\/[0-9a-f]{12}$/)]));
  });

  it('ends with the reason of the caller', async () => {
    const stop = new AbortController();
    const mute = await listen(() => stop.abort(new Error('canceled')));
    const route = new PortsBehind(() => mute);
    const seen = observeHost(
      new Transport({ userAgent: 'engine-spec' }),
      { host: ADDRESS, address: ADDRESS, ports: [80] },
      { signal: stop.signal, route },
      options,
    );
    await expect(seen).rejects.toThrow('canceled');
  });
});
