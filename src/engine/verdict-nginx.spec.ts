import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assess } from './assess';
import { exposedGit } from './checks/exposed-git';
import { describeWithNginx, type RunningNginx, startNginx } from './testing/real-nginx';
import { parseTarget } from './target';
import { freePort } from './testing/real-server';
import { Transport } from './transport/transport';
import { type Verdict, verify } from './verdict';
import { ProbeSession } from './probe-session';

const HOME = '<!doctype html><title>The shop</title><h1>Welcome to the shop</h1><p>Rolls, pretzels and rye bread.</p>';
const HEAD = 'ref: refs/heads/main\n';

/** Two nodes, each with its own folder and port. */
const nodes = (folder: string, [, a, b]: Ports): string => `
  server { listen 127.0.0.1:${a}; root ${folder}/a; }
  server { listen 127.0.0.1:${b}; root ${folder}/b; }`;

type Ports = readonly [front: number, a: number, b: number];

const balancer = (folder: string, ports: Ports, method = ''): string => `
  ${nodes(folder, ports)}
  upstream nodes { ${method} server 127.0.0.1:${ports[1]}; server 127.0.0.1:${ports[2]}; }
  server { listen 127.0.0.1:${ports[0]}; location / { proxy_pass http://nodes; } }`;

const cache = (folder: string, ports: Ports, directives: string): string => `
  ${nodes(folder, ports)}
  proxy_cache_path ${folder}/cache keys_zone=pages:1m;
  server {
    listen 127.0.0.1:${ports[0]};
    location / {
      proxy_pass http://127.0.0.1:${ports[1]};
      proxy_cache pages;
      proxy_cache_valid 404 1h;
      proxy_cache_key $request_uri;
      ${directives}
    }
  }`;

describeWithNginx('a verdict on a real nginx', () => {
  let server: RunningNginx | null = null;
  let ports: Ports = [0, 0, 0];
  beforeEach(async () => {
    ports = [await freePort(), await freePort(), await freePort()];
  });
  afterEach(async () => {
    await server?.stop();
    server = null;
  });

  const url = (): string => `http://127.0.0.1:${ports[0]}/`;
  const transport = (): Transport =>
    new Transport({
      userAgent: 'engine-tests (security@example.test)',
      browserUserAgent: 'Mozilla/5.0 Test',
      egressAllow: [{ address: '127.0.0.1', port: ports[0] }],
      limits: { perSecond: 10_000 },
    });
  const via = { signal: new AbortController().signal };
  const setHead = (node: 'a' | 'b', isPublic: boolean): void => {
    const file = join(server?.folder ?? '', node, '.git', 'HEAD');
    if (isPublic) writeFileSync(file, HEAD);
    else rmSync(file);
  };

  async function start(servers: (folder: string, ports: Ports) => string): Promise<void> {
    server = await startNginx(ports[0], (folder) => servers(folder, ports), {
      'a/index.html': HOME,
      'a/.git/HEAD': HEAD,
      'b/index.html': HOME,
      'b/.git/HEAD': HEAD,
    });
  }

  /** Detects the weakness, applies the change, then tests again. */
  async function verdictAfter(change: () => unknown): Promise<Verdict> {
    const target = parseTarget(url());
    const { baseline } = await assess(exposedGit, target, new ProbeSession(transport(), via));
    if (baseline === null) throw new Error('it was not seen');
    await change();
    return (await verify(exposedGit, target, baseline, transport(), via, async () => null, { probes: 3, spreadMs: 3 }))
      .verdict;
  }

  it.each(['', 'random;', 'least_conn;'])(
    'finds the one of two nodes that is not fixed behind an upstream %s',
    async (method) => {
      await start((folder, all) => balancer(folder, all, method));
      const { result } = await verdictAfter(() => setHead('b', false));
      expect(result).toBe('still_vulnerable');
    },
  );

  it('is fixed when both nodes are fixed, and states the remaining risk', async () => {
    await start(balancer);
    const verdict = await verdictAfter(() => {
      setHead('a', false);
      setHead('b', false);
    });
    expect(verdict).toEqual({ result: 'fixed', reason: expect.stringContaining('was sent 16 times to one address') });
  });

  it('cannot detect a vulnerable node behind affinity by client address, and states this risk', async () => {
    await start((folder, all) => balancer(folder, all, 'hash $remote_addr;'));
    const seen = async (): Promise<boolean> => (await fetch(`${url()}.git/HEAD`)).status === 200;
    const { reason } = await verdictAfter(async () => {
      setHead('a', false);
      if (await seen()) {
        setHead('a', true);
        setHead('b', false);
      }
    });
    expect(reason).toContain('a load balancer that chooses by client address shows the same server every time');
  });

  it.each([
    ['that says so', 'add_header X-Cache $upstream_cache_status;', ['still_vulnerable', 'inconclusive']],
    ['that says nothing', '', ['still_vulnerable']],
    ['that says nothing and heeds what clients ask', 'proxy_cache_bypass $http_pragma;', ['still_vulnerable']],
  ])('is not fixed by the responses of a cache %s', async (_what, directives, results) => {
    await start((folder, all) => cache(folder, all, directives));
    const { result } = await verdictAfter(async () => {
      // The cache stores a state that only lasted for a moment.
      setHead('a', false);
      await fetch(`${url()}.git/HEAD`);
      setHead('a', true);
    });
    expect(results).toContain(result);
  });
});
