import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RealServer, binaryOf, freePort } from '../../src/engine/testing/real-server';

const binary = binaryOf('nginx');

/** `describe`, or `describe.skip` without nginx. */
export function describeWithGateway(name: string, tests: () => void): void {
  if (binary === null) describe.skip(`${name}: nginx is not installed`, tests);
  else describe(name, tests);
}

/** One folder and one process, so that a test can remove everything. */
const configuration = (
  folder: string,
  listen: string,
  upstreamPorts: readonly number[],
  directives: string,
): string => `
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
  client_max_body_size 100m;
  upstream assay {
    ${upstreamPorts.map((port) => `server 127.0.0.1:${port};`).join('\n    ')}
  }
  server {
    listen ${listen};
    location / {
      proxy_pass http://assay;
      ${directives}
    }
  }
}`;

export interface Gateway {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts nginx as a reverse proxy for one or several ports, with additional directives; on loopback, or at every address. */
export async function startGateway(
  upstream: number | readonly number[],
  directives = '',
  host: '127.0.0.1' | '0.0.0.0' = '127.0.0.1',
): Promise<Gateway> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-nginx-'));
  const port = await freePort();
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, `${host}:${port}`, [upstream].flat(), directives));
  const args = ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')];
  const server = await RealServer.start(binary ?? '', port, args);
  return {
    port,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
