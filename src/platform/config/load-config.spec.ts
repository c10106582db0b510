import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { egressEntryText } from '../../kernel/egress-entry';
import { ConfigError, loadConfig } from './load-config';
import { ownListeners } from './own-listeners';
import { configSchema } from './schema';
import { SECRET_KEYS } from './secret-keys';
import { tracesEndpoint } from './traces-endpoint';

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

  it('reports the problems of several keys together with those of single keys, and each once', () => {
    const wrong = { PORT: 'x', NODE_ENV: 'production', SMTP_URL: 'smtp://mail.example.com', EGRESS_ALLOW: 'nonsense' };
    const keys = problemsOf(wrong).map((problem) => problem.split(' ')[0]);
    expect(keys).toEqual(expect.arrayContaining(['DATABASE_URL', 'PORT', 'EGRESS_ALLOW', 'MAIL_FROM', 'PORTAL_URL']));
    expect(keys).toHaveLength(new Set(keys).size);
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

describe('mail', () => {
  const SMTP_URL = 'smtps://assay:p%40ss@mail.example.com';

  it.each(['assay@example.com', 'Assay <assay@example.com>'])('is sent from %s', (MAIL_FROM) => {
    expect(loadConfig({ DATABASE_URL, SMTP_URL, MAIL_FROM })).toMatchObject({ SMTP_URL, MAIL_FROM });
  });

  it('needs a sender, and in production a SECRET_KEY and the address of the portal', () => {
    expect(problemsOf({ DATABASE_URL, SMTP_URL })).toEqual([
      expect.stringMatching(/^MAIL_FROM must be set with SMTP_URL/),
    ]);
    const production = { NODE_ENV: 'production', ENGINE_USER_AGENT: 'Assay of example.com (security@example.com)' };
    expect(problemsOf({ DATABASE_URL, SMTP_URL, MAIL_FROM: 'assay@example.com', ...production })).toEqual([
      expect.stringMatching(/^PORTAL_URL must be set with SMTP_URL/),
      expect.stringMatching(/^SECRET_KEY must be set with SMTP_URL/),
    ]);
  });

  it.each([
    ['SMTP_URL', 'mail.example.com:25'],
    ['SMTP_URL', 'http://mail.example.com'],
    ['MAIL_FROM', 'Assay'],
    ['MAIL_FROM', 'Assay <a@example.com>\r\nBcc: b@example.com'],
  ])('%s rejects %j', (key, value) => {
    const problems = problemsOf({ DATABASE_URL, MAIL_FROM: 'assay@example.com', [key]: value });
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${key} must `))]);
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
  const problemsOfEntries = (EGRESS_ALLOW: string, more = {}) => problemsOf({ DATABASE_URL, EGRESS_ALLOW, ...more });

  it('accepts addresses and CIDRs with ports, bound to an organization or not', () => {
    const given = '127.0.0.1:8080, [::1]:8080,10.20.0.0/16:443,7@[fd00::/8]:443,7@staging.internal=10.20.0.5:443';
    const { EGRESS_ALLOW } = loadConfig({ DATABASE_URL, EGRESS_ALLOW: given });
    expect(EGRESS_ALLOW.map(egressEntryText)).toEqual(given.split(',').map((text) => text.trim()));
    expect(EGRESS_ALLOW.map(({ organizationId }) => organizationId)).toEqual([undefined, undefined, undefined, 7, 7]);
  });

  it.each([
    '127.0.0.1',
    'localhost:80',
    '127.1:80',
    '127.0.0.1:0',
    '127.0.0.1:65536',
    '::1:80',
    '10.20.0.0/16',
    '10.20.0.0/33:443',
    '10.20.3.0/16:443',
    'fd00::/8:443',
    '0@10.20.0.0/16:443',
    '2147483648@10.20.0.0/16:443',
    'x@10.20.0.0/16:443',
    '7@staging.internal:443',
    '7@staging.internal=10.20.0.0/16:443',
    '7@10.0.0.1=10.20.0.5:443',
    '7@=10.20.0.5:443',
  ])('refuses %s, and names it', (wrong) => {
    const [problem, ...others] = problemsOfEntries(`127.0.0.1:1,${wrong}`);
    expect(problem).toMatch(/^EGRESS_ALLOW must be a list of addresses with a port: /);
    expect(problem).toContain(wrong.split('@').at(-1)?.split(':443')[0]);
    expect(others).toEqual([]);
  });

  it.each([
    '127.0.0.0/8:80',
    '[::1/128]:80',
    '169.254.0.0/16:80',
    '169.254.169.254/32:80',
    '[fe80::/10]:80',
    '[2002::/16]:80',
    '[2001::/32]:80',
  ])('refuses %s, which would allow nothing', (block) => {
    expect(problemsOfEntries(block)).toEqual([
      `EGRESS_ALLOW must not contain ${block}: a block never allows loopback, link-local, metadata and reserved addresses`,
    ]);
  });

  describe('in production', () => {
    const production = { NODE_ENV: 'production', ENGINE_USER_AGENT: 'Assay of example.com (security@example.com)' };

    it.each(['10.20.0.5:443', '10.20.0.0/16:443', 'staging.internal=10.20.0.5:443'])(
      'refuses %s, which is not bound to an organization',
      (entry) => {
        expect(problemsOfEntries(`7@10.30.0.0/16:443,${entry}`, production)).toEqual([
          expect.stringMatching(
            /^EGRESS_ALLOW must bind 1?\S+ to an organization with NODE_ENV=production, such as 7@/,
          ),
        ]);
        expect(problemsOfEntries(`7@10.30.0.0/16:443,7@${entry}`, production)).toEqual([]);
      },
    );

    it.each(['7@127.0.0.1:8080', '7@[::1]:8080', '7@169.254.169.254:80', '7@localhost=127.0.0.1:80'])(
      'refuses %s',
      (entry) => {
        expect(problemsOfEntries(entry, production)).toEqual([
          expect.stringContaining(`must not contain ${entry} with NODE_ENV=production`),
        ]);
        expect(problemsOfEntries(entry)).toEqual([]);
      },
    );
  });
});

describe('EGRESS_DENY', () => {
  it('accepts hosts and addresses with a port', () => {
    const EGRESS_DENY = '10.20.0.7:3000, db.internal:5432, [fd00::7]:3000';
    expect(loadConfig({ DATABASE_URL, EGRESS_DENY }).EGRESS_DENY).toEqual([
      { host: '10.20.0.7', port: 3000 },
      { host: 'db.internal', port: 5432 },
      { host: 'fd00::7', port: 3000 },
    ]);
    expect(problemsOf({ DATABASE_URL, EGRESS_DENY: '10.20.0.7' })).toEqual([
      expect.stringMatching(/^EGRESS_DENY must be hosts or addresses with a port/),
    ]);
  });

  it('refuses hosts that have a port that does not exist', () => {
    for (const port of [0, 65_536])
      expect(problemsOf({ DATABASE_URL, EGRESS_DENY: `db.internal:${port}` })).toHaveLength(1);
    expect(problemsOf({ DATABASE_URL, EGRESS_DENY: 'db.internal:65535' })).toEqual([]);
  });
});

describe('RELAY_ADVERTISE', () => {
  it('is a host at which workers reach the relay, with or without a port', () => {
    const relayOf = (RELAY_ADVERTISE: string) => loadConfig({ DATABASE_URL, RELAY_ADVERTISE }).RELAY_ADVERTISE;
    expect(relayOf('10.20.0.7')).toEqual({ host: '10.20.0.7', port: undefined });
    expect(relayOf('relay.internal:3002')).toEqual({ host: 'relay.internal', port: 3002 });
    expect(relayOf('[fd00::7]:3002')).toEqual({ host: 'fd00::7', port: 3002 });
  });

  it.each(['relay:internal', '[fd00::7', 'relay.internal:0', 'relay.internal:65536'])('is not "%s"', (address) => {
    expect(problemsOf({ DATABASE_URL, RELAY_ADVERTISE: address })).toEqual([
      expect.stringMatching(/^RELAY_ADVERTISE must be the host at which workers reach this process/),
    ]);
  });
});

describe('the listeners of the service', () => {
  const placesOf = (environment: Record<string, string>): string[] =>
    ownListeners(loadConfig({ PORT: '3000', ...environment })).map(({ host, port }) => `${host} ${port}`);

  it('are the API, the metrics, the database, Redis, the mail server, the collector of traces and EGRESS_DENY', () => {
    const settings = {
      HOST: '10.0.0.1',
      DATABASE_URL: 'postgres://app:p%40ss@db.internal/assay',
      MIGRATION_DATABASE_URL: 'postgres://owner@[fd00::5]:6432/assay',
      REDIS_URL: 'rediss://:secret@redis.internal:6380/2',
      SMTP_URL: 'smtp://mail.internal',
      MAIL_FROM: 'assay@example.com',
      EGRESS_DENY: '10.0.0.2:3000',
      RELAY_PORT: '3002',
      RELAY_ADVERTISE: '10.0.0.1',
      METRICS_PORT: '9464',
      METRICS_HOST: '10.1.0.1',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.internal',
    };
    expect(placesOf(settings)).toEqual([
      '10.0.0.1 3000',
      '10.0.0.1 3001',
      '10.1.0.1 9464',
      '10.0.0.1 3002',
      'db.internal 5432',
      'fd00::5 6432',
      'redis.internal 6380',
      'mail.internal 587',
      'collector.internal 443',
      '10.0.0.2 3000',
    ]);
  });

  it('are the listener of callbacks at its public addresses, whatever ports it is behind', () => {
    const settings = { DATABASE_URL, CALLBACK_ADDRESSES: '192.0.2.7,2001:db8::7', CALLBACK_HTTP_PORT: '8080' };
    expect(placesOf(settings).filter((place) => /^192|^2001/.test(place))).toEqual(
      ['192.0.2.7', '2001:db8::7'].flatMap((host) => [`${host} 80`, `${host} 443`, `${host} 8080`]),
    );
  });

  it('has the database of every form of URL that the client accepts, except Unix sockets', () => {
    const database = (DATABASE_URL: string): string[] => placesOf({ HOST: 'api.internal', DATABASE_URL }).slice(2);
    expect(database('postgres://app@ignored/assay?host=10.0.0.9&port=6000')).toEqual(['10.0.0.9 6000']);
    expect(database('postgres://app:secret@/assay?host=/run/postgresql&port=5432')).toEqual([]);
    expect(database('postgres:///assay')).toEqual(['localhost 5432']);
    expect(database('postgres://app:a,b@db1,[fd00::5]:6432/assay')).toEqual(['db1 5432', 'fd00::5 6432']);
    expect(database('postgres://app@%2Frun%2Fa,%2Frun%2Fb/assay')).toEqual([]);
    expect(placesOf({ HOST: 'api.internal', DATABASE_URL })[0]).toBe('0.0.0.0 3000');
  });
});

describe('traces', () => {
  const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
  const endpointOf = (settings: Record<string, string>) => tracesEndpoint(loadConfig({ DATABASE_URL, ...settings }));

  it('are off by default, and are sent to the path that the specification names', () => {
    expect(endpointOf({})).toBeUndefined();
    expect(endpointOf({ [ENDPOINT]: 'http://collector:4318' })).toBe('http://collector:4318/v1/traces');
    expect(endpointOf({ [ENDPOINT]: 'http://collector:4318/otlp/' })).toBe('http://collector:4318/otlp/v1/traces');
    const OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = 'https://traces.example.com/in';
    expect(endpointOf({ [ENDPOINT]: 'http://collector:4318', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT })).toBe(
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
    );
  });

  it('are sent with headers whose values are percent-encoded', () => {
    const given = 'Authorization=Bearer%20a%2Cb, x-tenant = assay=1 ,';
    expect(loadConfig({ DATABASE_URL, OTEL_EXPORTER_OTLP_HEADERS: given }).OTEL_EXPORTER_OTLP_HEADERS).toEqual({
      authorization: 'Bearer a,b',
      'x-tenant': 'assay=1',
    });
  });

  it.each([
    [ENDPOINT, 'collector.internal'],
    [ENDPOINT, 'grpc://collector:4317'],
    [ENDPOINT, 'http://user:hunter2@collector:4318'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', '/v1/traces'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'hunter2'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=%zz'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=a%0d%0ab'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'two words=a'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half'],
  ])('%s rejects %s, and the error does not contain the value', (key, value) => {
    const problems = problemsOf({ DATABASE_URL, [key]: value });
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${key} must be`))]);
    expect(problems.join()).not.toContain(value);
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
