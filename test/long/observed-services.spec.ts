import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { type HostSeen, observeHost, parseEndpoint, type Statement, Transport } from '../../src/engine';
import { describeWithObservedNetwork, ObservedNetwork } from '../support/observed/observed-network';
import type { ExpectedPort } from '../support/observed/observed-servers';

const run = promisify(execFile);

/** What went over the link: connections that were begun, and bytes in both directions. */
interface Traffic {
  readonly connections: number;
  readonly bytes: number;
}

const textOf = (statement: Statement): string =>
  statement.kind === 'greeting'
    ? statement.text
    : [...statement.headers.map(([, value]) => value), statement.body].join('\n');

/** The version of a server as most of them write it: `nginx/1.22.1`. Versions of protocols have two numbers. */
const VERSION = /\d+\.\d+\.\d+/;

describeWithObservedNetwork('services of real servers', () => {
  let network: ObservedNetwork;
  let expected: readonly ExpectedPort[];

  beforeAll(async () => {
    network = new ObservedNetwork();
    await network.start();
    expected = network.plans.flatMap(({ ports }) => ports);
  });

  afterAll(() => network.stop());

  const bytesOnLink = (): number =>
    ['rx', 'tx']
      .map((way) => Number(readFileSync(`/sys/class/net/${network.link}/statistics/${way}_bytes`, 'utf8')))
      .reduce((sum, bytes) => sum + bytes, 0);

  /** The traffic while the work runs. */
  async function counted<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly traffic: Traffic }> {
    const begins = 'tcp[tcpflags] & (tcp-syn|tcp-ack) == tcp-syn';
    const capture = spawn('tcpdump', ['-i', network.link, '-n', '-l', begins], { stdio: ['ignore', 'pipe', 'pipe'] });
    let lines = '';
    capture.stdout.on('data', (data) => (lines += String(data)));
    await once(capture.stderr, 'data');
    const before = bytesOnLink();
    const value = await work();
    const bytes = bytesOnLink() - before;
    const ended = once(capture, 'close');
    capture.kill('SIGINT');
    await ended;
    return { value, traffic: { connections: lines.split('\n').filter(Boolean).length, bytes } };
  }

  async function observed(): Promise<{ readonly seen: HostSeen; readonly said: ReadonlyMap<number, string> }> {
    const { address } = network;
    const ports = expected.map(({ port }) => port);
    const egressAllow = ports.map((port) => parseEndpoint(`${address}:${port}`));
    const transport = new Transport({ userAgent: 'Assay (security@example.com)', egressAllow });
    const said = new Map<number, string>();
    const seenIn = async (statements: readonly Statement[]) => {
      for (const one of statements) {
        const at = one.kind === 'http' ? new URL(one.url) : null;
        const port =
          at === null
            ? Number(/\d+$/.exec(one.kind === 'greeting' ? one.source : ''))
            : Number(at.port || (at.protocol === 'https:' ? 443 : 80));
        said.set(port, `${said.get(port) ?? ''}${textOf(one)}\n`);
      }
      return null;
    };
    const { signal } = new AbortController();
    const seen = await observeHost(
      transport,
      { host: address, address, ports },
      { signal },
      { templates: [{ seenIn }] },
    );
    return { seen, said };
  }

  /** The services that nmap is sure of, by port. */
  async function namedByNmap(): Promise<ReadonlyMap<number, string>> {
    const ports = expected.map(({ port }) => port).join(',');
    const options = ['-sV', '-Pn', '-n', '--max-rate', '10', '-p', ports, '-oX', '-', network.address];
    const { stdout } = await run('nmap', options, { maxBuffer: 16_000_000 });
    const found = new Map<number, string>();
    for (const block of stdout.split('<port ').slice(1)) {
      const [, port] = /portid="(\d+)"/.exec(block) ?? [];
      const [, name = ''] = /<service name="([^"]+)"[^>]*method="probed"/.exec(block) ?? [];
      found.set(Number(port), name);
    }
    return found;
  }

  it('each service is right, and with at most the connections and bytes of nmap', async () => {
    const own = await counted(observed);
    const nmap = await counted(namedByNmap);
    const { seen, said } = own.value;
    const shown = expected.map(({ port }) => {
      const at = seen.ports.find((one) => one.port === port);
      return { port, service: at?.service ?? null, security: at?.security ?? undefined };
    });
    const isRightOfNmap = ({ port, service, nmap: name }: ExpectedPort): boolean =>
      (name ?? new RegExp(`^(?:${service}|${service.replace(/s$/, '')})$`)).test(nmap.value.get(port) ?? '');
    const rightOfNmap = expected.filter(isRightOfNmap);
    const wrong = expected
      .filter((one) => !isRightOfNmap(one))
      .map(({ port, service }) => `${service} ${nmap.value.get(port) ?? '-'}`);
    process.stdout.write(
      `${expected.length} ports. Assay: ${JSON.stringify(own.traffic)}. nmap: ${rightOfNmap.length} right, ${JSON.stringify(nmap.traffic)}; not: ${wrong.join(', ')}\n`,
    );
    expect(seen.stopped).toBeNull();
    expect(shown).toEqual(expected.map(({ port, service, security }) => ({ port, service, security })));
    for (const { port, version } of expected) {
      const statements = said.get(port) ?? '';
      if (version === undefined) expect([port, VERSION.exec(statements)?.[0]]).toEqual([port, undefined]);
      else expect([port, statements]).toEqual([port, expect.stringMatching(version)]);
    }
    // No version of a technology is invented: the port has said it.
    const invented = seen.ports.flatMap(({ port, technologies }) =>
      technologies.filter(({ version }) => !(said.get(port) ?? '').includes(version)).map((one) => ({ port, ...one })),
    );
    expect(invented).toEqual([]);
    expect(own.traffic.connections).toBeLessThan(nmap.traffic.connections);
    expect(own.traffic.bytes).toBeLessThan(nmap.traffic.bytes);
  });
});
