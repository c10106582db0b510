import { binaryOf } from '../../src/engine/testing/real-server';

/** Programs that some tests ask, and the packages in which Debian has them. */
const packages: Readonly<Record<string, string>> = {
  'redis-server': 'redis-server',
  wg: 'wireguard-tools',
  nginx: 'nginx',
  memcached: 'memcached',
  vsftpd: 'vsftpd',
  openssl: 'openssl',
  curl: 'curl',
};

/** What a run leaves untested here, for its last lines; null where nothing is missing. */
export function missingPrograms(): string | null {
  const missing = Object.keys(packages).filter((program) => binaryOf(program) === null);
  if (missing.length === 0) return null;
  const install = missing.map((program) => packages[program]).join(' ');
  return `Skipped: the tests that need ${missing.join(', ')}. On Debian: apt-get install ${install}`;
}
