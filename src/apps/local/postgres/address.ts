import { mkdtempSync, realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a server listens. On Unix a socket in a folder of its own: no port to collide with, nothing on the network. */
export interface Address {
  host: string;
  port: number;
}

const socketPort = 5432;

/** The system's limit for the path of a socket. */
const maxSocketPathLength = 103;

/** A private folder with a short path; the data folder's own may be too long, or on a file system without sockets. */
export function makeRunDir(): string {
  const fits = join(realpathSync(tmpdir()), `assay-XXXXXX/.s.PGSQL.${socketPort}.lock`).length <= maxSocketPathLength;
  return mkdtempSync(join(fits || process.platform === 'win32' ? tmpdir() : '/tmp', 'assay-'));
}

export async function chooseAddress(runDir: string): Promise<Address> {
  return process.platform === 'win32'
    ? { host: '127.0.0.1', port: await freePort() }
    : { host: runDir, port: socketPort };
}

/** What tells the server to listen there. */
export const listenSettings = ({ host, port }: Address): Record<string, string> =>
  host.startsWith('/')
    ? { listen_addresses: '', unix_socket_directories: host, unix_socket_permissions: '0700', port: String(port) }
    : { listen_addresses: host, unix_socket_directories: '', port: String(port) };

/** Everything is said, so that PGHOST, PGPORT or PGSSLMODE of whoever connects changes nothing. */
export function connectionUrl({ host, port }: Address, role: string, password: string, database: string): string {
  const where = new URLSearchParams({ host, port: String(port), sslmode: 'disable' });
  return `postgres://${role}:${password}@/${database}?${where.toString()}`;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address ? address.port : socketPort;
}
