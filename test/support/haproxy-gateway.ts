import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeUnless } from '../../src/engine/testing/describe-unless';
import { RealServer, binaryOf, freePort } from '../../src/engine/testing/real-server';
import type { Gateway } from './nginx-gateway';

const binary = binaryOf('haproxy');

/** `describe`, or `describe.skip` without haproxy. */
export function describeWithHaproxy(name: string, tests: () => void): void {
  describeUnless(binary === null ? 'haproxy is not installed' : null, name, tests);
}

const configuration = (port: number, upstreamPorts: readonly number[], settings: string): string => `
global
  maxconn 1000
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  ${settings}
frontend gateway
  bind 127.0.0.1:${port}
  option forwardfor
  default_backend assay
backend assay
  balance roundrobin
${upstreamPorts.map((upstream, at) => `  server api${at} 127.0.0.1:${upstream} check inter 500ms`).join('\n')}
`;

/** Starts haproxy in front of these ports, with additional settings for all proxies. */
export async function startHaproxy(upstreamPorts: readonly number[], settings = ''): Promise<Gateway> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-haproxy-'));
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration(port, upstreamPorts, settings));
  const server = await RealServer.start(binary ?? '', port, ['-db', '-f', file]);
  return {
    port,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
