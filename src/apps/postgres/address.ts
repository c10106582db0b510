import { mkdtempSync, realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The address of the server. On Unix it is a socket in a private folder, so that it uses no port. */
export interface Address {
  host: string;
  port: number;
}

const socketPort = 5432;

/** The database of the service. */
export const SERVICE_DATABASE = 'assay';

/** The operating system's limit for the path of a socket. */
const maxSocketPathLength = 103;

/** Creates a private folder. The data folder's path may be too long, or its file system may not support sockets. */
export function makeRunDir(): string {
  const fits = join(realpathSync(tmpdir()), `assay-XXXXXX/.s.PGSQL.${socketPort}.lock`).length <= maxSocketPathLength;
  return mkdtempSync(join(fits || process.platform === 'win32' ? tmpdir() : '/tmp', 'assay-'));
}

export async function chooseAddress(runDir: string): Promise<Address> {
  return process.platform === 'win32'
    ? { host: '127.0.0.1', port: await freePort() }
    : { host: runDir, port: socketPort };
}

/** The PostgreSQL settings for this address. */
export const listenSettings = ({ host, port }: Address): Record<string, string> =>
  host.startsWith('/')
    ? { listen_addresses: '', unix_socket_directories: host, unix_socket_permissions: '0700', port: String(port) }
    : { listen_addresses: host, unix_socket_directories: '', port: String(port) };

/** Sets all parameters, so that PGHOST, PGPORT and PGSSLMODE of the client have no effect. */
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
