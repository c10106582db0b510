import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RealServer, binaryOf, freePort } from '../../src/engine/testing/real-server';

export type GatewayName = 'nginx' | 'haproxy' | 'caddy';

/** Two processes: the host and the port of the API and of the portal of each. */
export interface Upstreams {
  readonly api: readonly [string, string];
  readonly portal: readonly [string, string];
}

export interface DocumentedGateway {
  /** In front of the API. */
  readonly url: string;
  readonly port: number;
  /** In front of the portal. */
  readonly portalUrl: string;
  readonly pid: number;
  stop(): Promise<void>;
}

type Replacement = readonly [RegExp, string];

const ADDRESSES = ['10.20.0.5', '10.20.0.6'];

/** What differs from the example: addresses, ports and TLS. */
const examples: Readonly<
  Record<GatewayName, { file: string; replacements(port: number, portalPort: number, to: Upstreams): Replacement[] }>
> = {
  nginx: {
    file: 'nginx.conf',
    replacements: (port, portalPort) => [
      [/^ssl_certificate(_key)? .*\n/m, ''],
      [/^ssl_certificate(_key)? .*\n/m, ''],
      [/listen 443 ssl;/, `listen 127.0.0.1:${port};`],
      [/listen 443 ssl;/, `listen 127.0.0.1:${portalPort};`],
    ],
  },
  haproxy: {
    file: 'haproxy.cfg',
    replacements: (port, portalPort, { api }) => [
      [/bind :443 ssl crt \S+/, `bind 127.0.0.1:${port}\n  bind 127.0.0.1:${portalPort}`],
      [/if \{ req\.hdr\(host\).*\}/, `if { dst_port ${portalPort} }`],
      [/X-Forwarded-Proto https/, 'X-Forwarded-Proto http'],
      [/option httplog\n/, '\n'],
      [/ port 3000/, ` port ${new URL(`http://${api[0]}`).port}`],
      [/ port 3000/, ` port ${new URL(`http://${api[1]}`).port}`],
    ],
  },
  caddy: {
    file: 'Caddyfile',
    replacements: (port, portalPort, { api }) => [
      [/health_port 3000/, `health_port ${new URL(`http://${api[0]}`).port}`],
      [/^\{\n/m, '{\n\tadmin off\n\tauto_https off\n'],
      [/https:\/\/api\.example\.com \{/, `http://:${port} {\n\tbind 127.0.0.1`],
      [/https:\/\/assay\.example\.com \{/, `http://:${portalPort} {\n\tbind 127.0.0.1`],
    ],
  },
};

const mainOfNginx = (folder: string, included: string): string => `
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/pid;
daemon off;
worker_processes 1;
events { worker_connections 4000; }
http {
  access_log off;
  error_log stderr error;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder};`).join(' ')}
${included}
}`;

const argumentsOf: Readonly<Record<GatewayName, (file: string, folder: string) => string[]>> = {
  nginx: (file, folder) => ['-e', 'stderr', '-p', folder, '-c', file],
  haproxy: (file) => ['-db', '-f', file],
  caddy: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
};

export const installedGateways = (['nginx', 'haproxy', 'caddy'] as const).filter((name) => binaryOf(name) !== null);

/** The configuration of `deploy/gateways`, with other addresses and without TLS. Each replacement must be possible. */
function configurationOf(name: GatewayName, port: number, portalPort: number, to: Upstreams): string {
  const { file, replacements } = examples[name];
  let text = readFileSync(join(__dirname, '../../deploy/gateways', file), 'utf8');
  const upstreams = ADDRESSES.flatMap((address, at): Replacement[] => [
    [new RegExp(`${address}:3000`), to.api[at] ?? ''],
    [new RegExp(`${address}:3001`), to.portal[at] ?? ''],
  ]);
  for (const [pattern, replacement] of [...replacements(port, portalPort, to), ...upstreams]) {
    if (!pattern.test(text)) throw new Error(`${file} does not contain ${pattern}`);
    text = text.replace(pattern, replacement);
  }
  return text;
}

/** Starts a gateway with the configuration that `docs/deployment.md` recommends. `change` edits it. */
export async function startDocumentedGateway(
  name: GatewayName,
  to: Upstreams,
  change: (text: string) => string = (text) => text,
): Promise<DocumentedGateway> {
  const folder = mkdtempSync(join(tmpdir(), `assay-${name}-`));
  const [port, portalPort] = [await freePort(), await freePort()];
  const file = join(folder, examples[name].file);
  const text = change(configurationOf(name, port, portalPort, to));
  writeFileSync(file, name === 'nginx' ? mainOfNginx(folder, text) : text);
  const server = await RealServer.start(binaryOf(name) ?? '', port, argumentsOf[name](file, folder));
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    portalUrl: `http://127.0.0.1:${portalPort}`,
    pid: server.pid,
    stop: async () => {
      await server.stop('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
