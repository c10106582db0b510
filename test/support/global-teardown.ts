import { binaryOf } from '../../src/engine/testing/real-server';
import { browserBinary } from './programs';

/** Optional programs that some tests run, with their Debian packages. */
const packages: Readonly<Record<string, string>> = {
  'redis-server': 'redis-server',
  wg: 'wireguard-tools',
  nginx: 'nginx',
  haproxy: 'haproxy',
  caddy: 'caddy',
  pgbouncer: 'pgbouncer',
  memcached: 'memcached',
  vsftpd: 'vsftpd',
  openssl: 'openssl',
  curl: 'curl',
  chromium: 'chromium',
};

/** A sentence about the tests that are skipped because programs are missing, or null. */
function missingPrograms(): string | null {
  const isMissing = (program: string): boolean =>
    (program === 'chromium' ? browserBinary() : binaryOf(program)) === null;
  const missing = Object.keys(packages).filter(isMissing);
  if (missing.length === 0) return null;
  const install = missing.map((program) => packages[program]).join(' ');
  return `Skipped: the tests that need ${missing.join(', ')}. On Debian: apt-get install ${install}`;
}

interface Teardown {
  afterAll?: () => Promise<void>;
}

/** Jest loads setup and teardown as separate modules; they share this object through `globalThis`. */
export const teardown = ((globalThis as { assayTeardown?: Teardown }).assayTeardown ??= {});

export default async function globalTeardown(): Promise<void> {
  await teardown.afterAll?.();
  const missing = missingPrograms();
  if (missing !== null) process.stdout.write(`${missing}\n`);
}
