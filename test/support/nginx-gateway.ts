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
const configuration = (folder: string, port: number, upstreamPort: number, directives: string): string => `
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
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${upstreamPort};
      ${directives}
    }
  }
}`;

export interface Gateway {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts nginx as a reverse proxy for this port, with additional directives. */
export async function startGateway(upstreamPort: number, directives = ''): Promise<Gateway> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-nginx-'));
  const port = await freePort();
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, upstreamPort, directives));
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
