import { isIP } from 'node:net';
import { z } from 'zod';
import { DomainError } from '../../kernel/domain-error';
import { type EgressEntry, egressEntryText, isUselessEntry, parseEgressEntry } from '../../kernel/egress-entry';
import { parseUrl } from '../../kernel/parse-url';
import { callbackFields, callbackProblems } from './callback-fields';
import { integer, secretKey } from './common-fields';
import { mailAddress, smtpUrl } from './mail-fields';
import { postgresUrl, postgresUrlOfOne } from './postgres-hosts';

/** What an operator can allow. */
export const MAX_IMPORT_MEGABYTES = 1_000;

const redisUrl = z
  .string()
  .refine((text) => /^rediss?:\/\//.test(text) && parseUrl(text) !== null, 'must be a redis:// or rediss:// URL');

/** The origin of the portal: no path, because its pages are at the root. */
const portalUrl = z
  .string()
  .refine(
    (text) => /^https?:\/\//.test(text) && parseUrl(text)?.origin === text.replace(/\/$/, ''),
    'must be an http or https URL without a path, such as https://assay.example.com',
  )
  .transform((text) => text.replace(/\/$/, ''));

const urlWithoutPassword = (example: string) =>
  z.string().refine((text) => {
    const url = /^https?:\/\//.test(text) ? parseUrl(text) : null;
    return url !== null && url.username === '' && url.password === '';
  }, `must be an http or https URL without a password, such as ${example}`);

const collectorUrl = urlWithoutPassword('http://collector:4318');
const providerUrl = urlWithoutPassword('https://login.example.com');
const fileUrl = urlWithoutPassword('https://mirror.example.com/file');

const TRACE_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** `authorization=Bearer%20…,x-tenant=assay`: values are percent-encoded. */
const exportHeaders = z.string().transform((text, context): Readonly<Record<string, string>> => {
  const headers: Record<string, string> = {};
  for (const pair of text.split(',').filter((part) => part.trim() !== '')) {
    const [, name, value = ''] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x7e][\x20-\x7e]*)$/.exec(pair) ?? [];
    const decoded = percentDecoded(value.trim());
    if (name === undefined || decoded === undefined) {
      context.addIssue({
        code: 'custom',
        message: 'must be headers such as authorization=Bearer%20secret,x-tenant=assay',
      });
      return z.NEVER;
    }
    headers[name.toLowerCase()] = decoded;
  }
  return headers;
});

function percentDecoded(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return /^[\x20-\x7e]+$/.test(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}

const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

const MAX_SLOTS = 100;

/** `job=8,report.generate=1`. The worker checks that the kinds exist. */
const slotsByKind = commaList
  .refine(
    (pairs) => pairs.every((pair) => /^[a-z.]+=[1-9]\d{0,2}$/.test(pair) && Number(pair.split('=')[1]) <= MAX_SLOTS),
    `must be kinds of work with a number of slots from 1 to ${MAX_SLOTS}, such as job=8,report.generate=1`,
  )
  .transform((pairs): ReadonlyMap<string, number> => {
    return new Map(
      pairs.map((pair) => pair.split('=') as [string, string]).map(([kind, slots]) => [kind, Number(slots)]),
    );
  });

const isPort = (port: number): boolean => port >= 1 && port <= 65_535;

/** A host, with IPv6 in brackets, and a port if it has one. The host is empty if the text is something else. */
function hostOf(text: string): { host: string; port: number | undefined } {
  const [, ipv6, name, digits] = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  return { host: port === undefined || isPort(port) ? (ipv6 ?? name ?? '') : '', port };
}

const hostAndPort = z.string().refine((text) => {
  const { host, port } = hostOf(text);
  return host !== '' && port !== undefined;
}, 'must be a host and a port, such as tunnel.example.com:2333');

/** A host, with a port if workers do not reach the port that the relay listens on. */
const relayAddress = z
  .string()
  .transform(hostOf)
  .refine(
    ({ host }) => host !== '',
    'must be the host at which workers reach this process, such as 10.20.0.7 or 10.20.0.7:3002',
  );

const wireguardKey = z.string().regex(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/, 'must be a WireGuard key in base64');

const addressBlocks = commaList.refine(
  (blocks) => blocks.length > 0 && blocks.every((block) => /^[0-9A-Fa-f:.]+\/\d{1,3}$/.test(block)),
  'must be address blocks in CIDR notation, such as 100.64.0.1/32',
);

const portRange = z
  .string()
  .regex(/^\d{1,5}-\d{1,5}$/, 'must be two ports with a hyphen between them, such as 20000-20999')
  .transform((text) => {
    const [first = 0, last = 0] = text.split('-').map(Number);
    return { first, last };
  })
  .refine(({ first, last }) => first >= 1 && first <= last && last <= 65_535, 'must go from a lower to a higher port');

/** The format of Node's resolver: an address, or an address and a port, with IPv6 in brackets. */
function isNameServer(text: string): boolean {
  const [, bracketed, plain, port = '53'] = /^(?:\[(.+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  return (isIP(bracketed ?? '') === 6 || isIP(plain ?? text) !== 0) && isPort(Number(port));
}

const nameServers = commaList.refine(
  (servers) => servers.every(isNameServer),
  'must be addresses of name servers, such as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353',
);

const egressEntries = commaList.transform((listed, context): EgressEntry[] =>
  listed.flatMap((text) => {
    try {
      const entry = parseEgressEntry(text);
      if (typeof entry.address === 'string' || !isUselessEntry(entry)) return [entry];
      context.addIssue({ code: 'custom', message: `must not contain ${text}: ${NEVER_ALLOWED}` });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      context.addIssue({ code: 'custom', message: `must be a list of addresses with a port: ${error.message}` });
    }
    return [];
  }),
);

const NEVER_ALLOWED = 'a block never allows loopback, link-local, metadata and reserved addresses';

/** The first of these problems of an entry in production, or null. */
function problemInProduction(entry: EgressEntry): string | null {
  const text = egressEntryText(entry);
  if (entry.organizationId === undefined)
    return `bind ${text} to an organization with NODE_ENV=production, such as 7@${text}: without, every organization could reach it`;
  return isUselessEntry(entry)
    ? `not contain ${text} with NODE_ENV=production: loopback, link-local, metadata and reserved addresses are allowed in development only`
    : null;
}

const hostsAndPorts = commaList
  .refine(
    (listed) => listed.every((text) => hostAndPort.safeParse(text).success),
    'must be hosts or addresses with a port, such as 10.20.0.7:3000, db.internal:5432 or [fd00::7]:3000',
  )
  .transform((listed) => listed.map(hostOf).map(({ host, port = 0 }) => ({ host, port })));

const userAgent = z
  .string()
  .max(200, 'must be at most 200 characters')
  .regex(/^[\x20-\x7e]*(@|https?:\/\/)[\x20-\x7e]*$/, 'must name a contact: an e-mail address or a URL');

const browserUserAgent = z
  .string()
  .max(300, 'must be at most 300 characters')
  .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII, or empty')
  .transform((text) => (text.trim() === '' ? null : text.trim()));

const DEFAULT_BROWSER_USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** The contact address does not exist, so production requires another value. */
const DEFAULT_USER_AGENT = 'Assay (tests that the owner of this host asked for; abuse@assay.invalid)';

const RANGE_NAMES = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isProxy(text: string): boolean {
  const [address = '', prefix] = text.split('/');
  const maxPrefix = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    RANGE_NAMES.has(text) || (maxPrefix > 0 && /^\d{1,3}$/.test(prefix ?? '0') && Number(prefix ?? 0) <= maxPrefix)
  );
}

const portOrOff = z.union([z.literal('off'), integer(0, 65535)], { error: 'must be a port from 0 to 65535, or off' });

/** All environment variables of the service. A test checks that `.env.example` describes each. */
export const configSchema = z
  .object({
    NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
    HOST: z.string().min(1).default('0.0.0.0'),
    PORT: integer(0, 65535).default(3000),
    PORTAL_PORT: portOrOff.optional(),
    PORTAL_URL: portalUrl.optional(),
    API_URL: z
      .string()
      .refine(
        (text) => /^https?:\/\//.test(text) && parseUrl(text) !== null,
        'must be an http or https URL, such as https://assay.example.com',
      )
      .transform((text) => text.replace(/\/$/, ''))
      .optional(),
    BASE_PATH: z
      .string()
      .regex(/^(\/[A-Za-z0-9._~-]+)*$/, 'must be empty or a path such as /assay, without a slash at its end')
      .default(''),
    METRICS_PORT: portOrOff.default('off'),
    METRICS_HOST: z.string().min(1).default('127.0.0.1'),
    DEMO_FILE: z.string().optional(),
    TRUSTED_PROXIES: commaList
      .refine(
        (proxies) => proxies.every(isProxy),
        'must be a list of addresses, CIDRs or the names loopback, linklocal, uniquelocal',
      )
      .default([]),

    SLOW_READER_SECONDS: integer(1, 30).default(30),
    SLOW_UPLOAD_SECONDS: integer(1, 300).default(30),
    IMPORT_MAX_MEGABYTES: integer(1, MAX_IMPORT_MEGABYTES).default(100),
    CONNECTIONS_PER_ADDRESS: integer(1, 65_535).default(200),

    DATABASE_URL: postgresUrl,
    MIGRATION_DATABASE_URL: postgresUrl.optional(),
    DATABASE_REPLICA_URLS: commaList.pipe(z.array(postgresUrlOfOne)).default([]),
    DATABASE_POOL_SIZE: integer(2, 200).default(10),
    DATABASE_TIMEOUT_MS: integer(500, 60_000).default(4_000),
    DATABASE_RETRY_MS: integer(0, 60_000).default(20_000),

    REDIS_URL: redisUrl.optional(),
    REDIS_PREFIX: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be up to 64 letters, digits, dots, hyphens and underscores')
      .default('assay'),
    REDIS_LIMITS_TIMEOUT_MS: integer(5, 30_000).default(50),

    AUTH_CACHE_SECONDS: integer(0, 4).default(3),
    MCP_SERVER: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
    AUTH_FAILURES_PER_MINUTE: integer(1, 10_000).default(30),

    LIMIT_READS_PER_MINUTE: integer(1, 1_000_000).default(600),
    LIMIT_WRITES_PER_MINUTE: integer(1, 1_000_000).default(120),
    LIMIT_LAUNCHES_PER_MINUTE: integer(1, 1_000_000).default(30),
    LIMIT_RETESTS_PER_MINUTE: integer(1, 1_000_000).default(60),
    LIMIT_IMPORTS_PER_MINUTE: integer(1, 1_000_000).default(10),
    API_PROCESSES: integer(1, 1_000).default(1),

    WORKER_CONCURRENCY: integer(1, 100).default(5),
    WORKER_SLOTS: slotsByKind.default(new Map()),
    WORK_LEASE_SECONDS: integer(1, 600).default(10),
    WORK_SWEEP_SECONDS: z.coerce.number().min(0.05).max(600).default(5),
    WORK_ATTEMPTS: integer(1, 50).default(5),
    WORK_GRACE_SECONDS: integer(0, 10).default(8),

    RELAY_PORT: portOrOff.default(0),
    RELAY_ADVERTISE: relayAddress.optional(),

    BEACON_RATHOLE_SERVER: hostAndPort.optional(),
    BEACON_RATHOLE_PORTS: portRange.optional(),
    BEACON_WIREGUARD_PUBLIC_KEY: wireguardKey.optional(),
    BEACON_WIREGUARD_ENDPOINT: hostAndPort.optional(),
    BEACON_WIREGUARD_ADDRESSES: addressBlocks.default(['100.64.0.1/32']),

    SECRET_KEY: secretKey.optional(),
    SECRET_KEY_PREVIOUS: secretKey.optional(),

    AUDIT_HEAD_KEY: secretKey.optional(),
    AUDIT_HEADS_FILE: z.string().min(1).optional(),

    SMTP_URL: smtpUrl.optional(),
    MAIL_FROM: mailAddress.optional(),

    OIDC_ISSUER: providerUrl.optional(),
    OIDC_CLIENT_ID: z.string().min(1).max(500).optional(),
    OIDC_CLIENT_SECRET: z.string().min(1).max(1_000).optional(),

    DNS_SERVERS: nameServers.default([]),

    OBSERVE_EVERY_HOURS: z
      .union([z.literal('off'), integer(1, 720)], { error: 'must be a number of hours from 1 to 720, or off' })
      .default(24),

    EPSS_URL: fileUrl.optional(),
    KEV_URL: fileUrl.optional(),
    EGRESS_ALLOW: egressEntries.default([]),
    EGRESS_DENY: hostsAndPorts.default([]),
    WEBHOOK_ALLOW: egressEntries.default([]),
    ENGINE_USER_AGENT: userAgent.default(DEFAULT_USER_AGENT),
    ENGINE_BROWSER_USER_AGENT: browserUserAgent.default(DEFAULT_BROWSER_USER_AGENT),
    ENGINE_REQUESTS_PER_SECOND: integer(1, 1_000).default(4),
    ENGINE_PROBES: integer(2, 20).default(3),
    ENGINE_PROBE_SPREAD_MS: integer(0, 60_000).default(4_000),

    ...callbackFields,

    OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl.optional(),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collectorUrl.optional(),
    OTEL_EXPORTER_OTLP_HEADERS: exportHeaders.default({}),
    OTEL_SERVICE_NAME: z.string().max(255, 'must be at most 255 characters').default('assay'),
    OTEL_TRACES_SAMPLER: z.enum(TRACE_SAMPLERS).default('parentbased_always_on'),
    OTEL_TRACES_SAMPLER_ARG: z.coerce
      .number({ error: 'must be a number' })
      .min(0, 'must be at least 0')
      .max(1, 'must be at most 1')
      .default(1),

    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
    LOG_FORMAT: z.enum(['auto', 'json', 'pretty']).default('auto'),
  })
  .superRefine(
    ({ NODE_ENV, ENGINE_USER_AGENT, SECRET_KEY, SECRET_KEY_PREVIOUS, SMTP_URL, MAIL_FROM, ...rest }, context) => {
      const reject = (key: string, message: string): void =>
        context.addIssue({ code: 'custom', path: [key], message: `must ${message}` });
      if (SMTP_URL !== undefined && MAIL_FROM === undefined)
        reject('MAIL_FROM', 'be set with SMTP_URL, to the sender of mail, such as Assay <assay@example.com>');
      if (SECRET_KEY_PREVIOUS !== undefined && (SECRET_KEY === undefined || SECRET_KEY === SECRET_KEY_PREVIOUS))
        reject(
          'SECRET_KEY_PREVIOUS',
          'be set together with a different SECRET_KEY: it is the second key during a rotation',
        );
      const provider = [rest.OIDC_ISSUER, rest.OIDC_CLIENT_ID, rest.OIDC_CLIENT_SECRET];
      if (provider.some((one) => one !== undefined) && [...provider, rest.PORTAL_URL].includes(undefined))
        reject('OIDC_ISSUER', 'be set together with OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and PORTAL_URL');
      for (const [key, problem] of callbackProblems(rest)) reject(key, problem);
      if (NODE_ENV !== 'production') return;
      if (SMTP_URL !== undefined && rest.PORTAL_URL === undefined)
        reject('PORTAL_URL', 'be set with SMTP_URL, because the links in mail lead there');
      if (SMTP_URL !== undefined && SECRET_KEY === undefined)
        reject('SECRET_KEY', 'be set with SMTP_URL, because mail that waits to be sent is encrypted');
      for (const key of ['EGRESS_ALLOW', 'WEBHOOK_ALLOW'] as const)
        for (const problem of rest[key].map(problemInProduction)) if (problem !== null) reject(key, problem);
      if (ENGINE_USER_AGENT === DEFAULT_USER_AGENT)
        reject(
          'ENGINE_USER_AGENT',
          'be set with NODE_ENV=production, to a name with your contact: the contact of the default does not exist',
        );
    },
  );

export type ConfigValues = z.infer<typeof configSchema>;
