import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { assess } from '../assess';
import type { Check, Observation } from '../check';
import { ProbeSession } from '../probe-session';
import { parseTarget } from '../target';
import { describeUnless } from './describe-unless';
import { binaryOf, freePort, RealServer } from './real-server';
import { Transport } from '../transport/transport';

const binary = binaryOf('nginx');

/** Registers tests that need nginx, or skips them if it is not installed. */
export function describeWithNginx(name: string, tests: () => void): void {
  describeUnless(binary === null ? 'nginx is not installed' : null, name, tests);
}

export interface NginxSite {
  /** Directives of the `server` block. */
  readonly directives: string;
  /** The files in its root, by path. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
}

/** One folder and one process, so that nothing is left after a test. */
const configuration = (folder: string, servers: string): string => `
pid ${folder}/pid;
daemon off;
master_process off;
events {}
http {
  access_log off;
  client_body_temp_path ${folder};
  proxy_temp_path ${folder};
  fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder};
  scgi_temp_path ${folder};
  types { text/html html; }
  default_type application/octet-stream;
  ${servers}
}`;

export interface RunningNginx {
  /** The folder with the files, for tests that change them. */
  readonly folder: string;
  stop(): Promise<void>;
}

/** Starts an nginx with this `http` configuration, and waits until it listens on the port. */
export async function startNginx(
  port: number,
  servers: (folder: string) => string,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<RunningNginx> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-nginx-'));
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, servers(folder)));
  const args = ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')];
  const server = await RealServer.start(binary ?? '', port, args);
  const stop = async (): Promise<void> => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, stop };
}

/** The observation of a check on an nginx that serves this site. */
export async function seenOnNginx(check: Check, { directives, files = {} }: NginxSite): Promise<Observation> {
  const port = await freePort();
  const site = Object.entries({ 'index.html': '<title>The target</title>', ...files });
  const server = await startNginx(
    port,
    (folder) => `server { listen 127.0.0.1:${port}; root ${folder}/root; ${directives} }`,
    Object.fromEntries(site.map(([path, content]) => [`root/${path}`, content])),
  );
  try {
    const egressAllow = [{ address: '127.0.0.1', port }];
    const transport = new Transport({ userAgent: 'engine-tests', egressAllow, limits: { perSecond: 1_000 } });
    const session = new ProbeSession(transport, { signal: new AbortController().signal });
    return (await assess(check, parseTarget(`http://127.0.0.1:${port}/`), session)).observation;
  } finally {
    await server.stop();
  }
}
