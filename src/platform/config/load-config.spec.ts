import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, loadConfig } from './load-config';
import { configSchema, SECRET_KEYS } from './schema';

const DATABASE_URL = 'postgres://localhost/assay';

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('loadConfig', () => {
  it('has a default for everything but the database', () => {
    expect(loadConfig({ DATABASE_URL })).toMatchObject({ PORT: 3000, LOG_LEVEL: 'info', TRUSTED_PROXIES: [] });
    expect(problemsOf({})).toEqual(['DATABASE_URL is missing']);
  });

  it('reports all problems at once', () => {
    const problems = problemsOf({ DATABASE_URL: 'mysql://x', PORT: '70000', LOG_LEVEL: 'loud', BASE_PATH: 'assay/' });
    expect(problems).toHaveLength(4);
    expect(problems.join('\n')).toContain('DATABASE_URL must be a postgres:// URL');
    expect(problems.join('\n')).toContain('PORT must be at most 65535');
  });

  it('treats an empty value as not set', () => {
    expect(loadConfig({ DATABASE_URL, PORT: '', BASE_PATH: '' }).PORT).toBe(3000);
  });

  it('splits comma-separated lists', () => {
    expect(loadConfig({ DATABASE_URL, TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1,' }).TRUSTED_PROXIES).toEqual([
      '10.0.0.0/8',
      '127.0.0.1',
    ]);
  });

  it('accepts slots for individual kinds of work', () => {
    expect([...loadConfig({ DATABASE_URL, WORKER_SLOTS: 'job=8, report.generate=1' }).WORKER_SLOTS]).toEqual([
      ['job', 8],
      ['report.generate', 1],
    ]);
    expect(loadConfig({ DATABASE_URL }).WORKER_SLOTS.size).toBe(0);
    for (const wrong of ['job', 'job=0', 'job=101', 'job=many', 'job=1;retest.run=2']) {
      expect(problemsOf({ DATABASE_URL, WORKER_SLOTS: wrong })).toEqual([
        expect.stringMatching(/^WORKER_SLOTS must be kinds of work with a number of slots/),
      ]);
    }
  });

  it('accepts addresses of name servers, with or without a port', () => {
    const DNS_SERVERS = '192.0.2.53, 192.0.2.53:5353, 2001:db8::53, [2001:db8::53], [2001:db8::53]:5353';
    expect(loadConfig({ DATABASE_URL, DNS_SERVERS }).DNS_SERVERS).toEqual(DNS_SERVERS.split(', '));
    for (const wrong of ['dns.example.com', '192.0.2.53:0', '192.0.2.53:65536', '[192.0.2.53]:53', '192.0.2:53']) {
      expect(problemsOf({ DATABASE_URL, DNS_SERVERS: wrong })).toEqual([
        expect.stringMatching(/^DNS_SERVERS must be addresses of name servers/),
      ]);
    }
  });
});

describe('the tunnels to beacons', () => {
  it('are disabled by default', () => {
    const { BEACON_RATHOLE_SERVER, BEACON_RATHOLE_PORTS, BEACON_WIREGUARD_PUBLIC_KEY } = loadConfig({ DATABASE_URL });
    expect([BEACON_RATHOLE_SERVER, BEACON_RATHOLE_PORTS, BEACON_WIREGUARD_PUBLIC_KEY]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const ports = loadConfig({ DATABASE_URL, BEACON_RATHOLE_PORTS: '20000-20999' }).BEACON_RATHOLE_PORTS;
    expect(ports).toEqual({ first: 20_000, last: 20_999 });
  });

  it.each([
    ['BEACON_RATHOLE_SERVER', 'https://tunnel.example.com'],
    ['BEACON_RATHOLE_PORTS', '20000'],
    ['BEACON_RATHOLE_PORTS', '20999-20000'],
    ['BEACON_RATHOLE_PORTS', '0-100'],
    ['BEACON_RATHOLE_PORTS', '65000-65536'],
    ['BEACON_WIREGUARD_PUBLIC_KEY', 'secret'],
    ['BEACON_WIREGUARD_ENDPOINT', 'vpn.example.com'],
    ['BEACON_WIREGUARD_ADDRESSES', '10.0.0.1'],
  ])('%s rejects %s', (key, value) => {
    expect(problemsOf({ DATABASE_URL, [key]: value })).toEqual([expect.stringMatching(new RegExp(`^${key} must `))]);
  });
});

it.each(['nonsense', '10.0.0.0/33', '10.0.0', 'loopback/8'])('TRUSTED_PROXIES rejects %s', (proxy) => {
  expect(problemsOf({ DATABASE_URL, TRUSTED_PROXIES: proxy })).toHaveLength(1);
});

it('TRUSTED_PROXIES accepts addresses, blocks and the names of address ranges', () => {
  const given = '127.0.0.1,10.0.0.0/8,::1,fd00::/8,loopback';
  expect(loadConfig({ DATABASE_URL, TRUSTED_PROXIES: given }).TRUSTED_PROXIES).toEqual(given.split(','));
});

describe('Redis', () => {
  it('is not used by default', () => {
    expect(loadConfig({ DATABASE_URL }).REDIS_URL).toBeUndefined();
    const REDIS_URL = 'rediss://user:p%40ss@redis.internal:6380/2';
    expect(loadConfig({ DATABASE_URL, REDIS_URL, REDIS_PREFIX: 'assay-staging' })).toMatchObject({ REDIS_URL });
  });

  it.each([
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'http://localhost:6379'],
    ['REDIS_URL', 'redis://localhost:hunter2'],
    ['REDIS_PREFIX', 'two words'],
    ['REDIS_PREFIX', 'all*'],
  ])('%s rejects %s, and the error does not contain the value', (key, value) => {
    expect(problemsOf({ DATABASE_URL, [key]: value })).toEqual([expect.stringMatching(new RegExp(`^${key} must `))]);
    expect(problemsOf({ DATABASE_URL, [key]: value }).join()).not.toContain(value);
  });
});

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-config-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is read without the trailing newline', () => {
    const path = join(folder, 'url');
    writeFileSync(path, `${DATABASE_URL}\n`);
    expect(loadConfig({ DATABASE_URL_FILE: path }).DATABASE_URL).toBe(DATABASE_URL);
    expect(problemsOf({ DATABASE_URL_FILE: path, DATABASE_URL })).toEqual([
      'DATABASE_URL_FILE and DATABASE_URL are both set: set one of them',
    ]);
  });

  it('is the only reported problem if it cannot be read', () => {
    expect(problemsOf({ DATABASE_URL_FILE: join(folder, 'missing') })).toEqual([
      'DATABASE_URL_FILE cannot be read (ENOENT)',
    ]);
  });
});

describe('EGRESS_ALLOW', () => {
  const EGRESS_ALLOW = '127.0.0.1:8080, [::1]:8080';

  it('accepts a list of addresses with ports', () => {
    expect(loadConfig({ DATABASE_URL, EGRESS_ALLOW }).EGRESS_ALLOW).toEqual(['127.0.0.1:8080', '[::1]:8080']);
    for (const wrong of ['127.0.0.1', 'localhost:80', '127.1:80', '127.0.0.1:0', '127.0.0.1:65536', '::1:80']) {
      expect(problemsOf({ DATABASE_URL, EGRESS_ALLOW: wrong })).toEqual([
        expect.stringMatching(/^EGRESS_ALLOW must be addresses with a port/),
      ]);
    }
  });

  it('is rejected in production', () => {
    const ENGINE_USER_AGENT = 'Assay of example.com (security@example.com)';
    expect(problemsOf({ DATABASE_URL, EGRESS_ALLOW, ENGINE_USER_AGENT, NODE_ENV: 'production' })).toEqual([
      expect.stringMatching(/^EGRESS_ALLOW must not be set with NODE_ENV=production/),
    ]);
    expect(loadConfig({ DATABASE_URL, ENGINE_USER_AGENT, NODE_ENV: 'production' }).EGRESS_ALLOW).toEqual([]);
  });
});

describe('ENGINE_USER_AGENT', () => {
  it('requires a contact', () => {
    expect(problemsOf({ DATABASE_URL, ENGINE_USER_AGENT: 'Mozilla/5.0' })).toEqual([
      expect.stringMatching(/^ENGINE_USER_AGENT must name a contact/),
    ]);
  });

  it('must be set in production, and not to the default', () => {
    const { ENGINE_USER_AGENT } = loadConfig({ DATABASE_URL });
    const settings: Record<string, string>[] = [{}, { ENGINE_USER_AGENT }];
    for (const given of settings) {
      expect(problemsOf({ DATABASE_URL, ...given, NODE_ENV: 'production' })).toEqual([
        expect.stringMatching(/^ENGINE_USER_AGENT must be set with NODE_ENV=production/),
      ]);
    }
  });
});

describe('.env.example', () => {
  const lines = readFileSync(join(__dirname, '../../../.env.example'), 'utf8').split('\n');
  const entries = lines.flatMap((line, index) => {
    const match = /^(?:# )?([A-Z_]+)=(.*)$/.exec(line);
    return match === null
      ? []
      : [{ key: match[1] ?? '', value: match[2] ?? '', above: lines[index - 1] ?? '', isSet: !line.startsWith('#') }];
  });

  it('contains every key of the schema and no others', () => {
    expect(entries.map(({ key }) => key).sort()).toEqual(Object.keys(configSchema.shape).sort());
  });

  it.each(entries)('describes $key in a sentence', ({ above }) => {
    expect(above).toMatch(/^# [A-Z].{20,}\.$/);
  });

  it('contains the default values', () => {
    const defaultsInFile = Object.fromEntries(
      entries.filter(({ isSet }) => isSet).map(({ key, value }) => [key, value]),
    );
    const { DATABASE_URL: _given, ...defaults } = loadConfig({ DATABASE_URL });
    const { DATABASE_URL: _same, ...read } = loadConfig({ DATABASE_URL, ...defaultsInFile });
    expect(read).toEqual(defaults);
    expect(Object.keys(defaultsInFile).sort()).toEqual(Object.keys(defaults).sort());
  });

  it.each([...SECRET_KEYS])('mentions the _FILE variant of %s', (key) => {
    expect(entries.find((entry) => entry.key === key)?.above).toContain(`${key}_FILE`);
  });

  it('has the same keys and defaults as docs/configuration.md', () => {
    const page = readFileSync(join(__dirname, '../../../docs/configuration.md'), 'utf8');
    const documented = Array.from(page.matchAll(/^- \*\*`([A-Z_]+)`\*\* \((.+?)\): [A-Z]/gm), ([, key, value]) => [
      key,
      value,
    ]);
    const defaultOf = ({ isSet, value }: (typeof entries)[number]): string => {
      if (!isSet) return 'no default';
      return value === '' ? 'default: empty' : `default: \`${value}\``;
    };
    expect(Object.fromEntries(documented)).toEqual(
      Object.fromEntries(entries.map((entry) => [entry.key, defaultOf(entry)])),
    );
  });
});
