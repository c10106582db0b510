import { canDecode } from './body';

export type Field = readonly [name: string, value: string];

/** What a request presents: a tool, which says that it is Assay, or a browser. */
export type ClientIdentity = 'assay' | 'browser';

/** The clients that verifications play. The first of each kind sends whole probes, the others some of the repeats. */
export type ClientName = 'assay' | 'curl' | 'desktop' | 'firefox' | 'mobile';

/** How reasons name them. */
export const CLIENT_TITLES: Readonly<Record<ClientName, string>> = {
  assay: 'Assay',
  curl: 'curl',
  desktop: 'a browser',
  firefox: 'Firefox in German',
  mobile: 'a mobile browser',
};

export const firstOfKind = (identity: ClientIdentity): ClientName => (identity === 'assay' ? 'assay' : 'desktop');

/** Browsers and curl offer HTTP/2. Some balancers lead clients that do to other servers. */
export const prefersHttp2 = (client: ClientName): boolean => client !== 'assay';

const CHROME_VERSION = '142';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const CURL = 'curl/8.14.1';

/** The mailbox in a name such as `Assay (security@example.com)`, for the field that RFC 9110 has for it. */
function contactField(userAgent: string): Field {
  const [mailbox] = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/.exec(userAgent) ?? [];
  return mailbox === undefined ? ['X-Contact', userAgent] : ['From', mailbox];
}

const versionOf = (chrome: string): string | undefined => /\bChrome\/(\d{1,4})\b/.exec(chrome)?.[1];

const mobileUserAgent = (version: string): string =>
  `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Mobile Safari/537.36`;

const PLATFORMS: readonly (readonly [pattern: RegExp, platform: string])[] = [
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
];

/** Chrome sends them, and few other browsers do. */
function clientHints(userAgent: string): Field[] {
  const version = versionOf(userAgent);
  if (version === undefined) return [];
  const [, platform = 'Linux'] = PLATFORMS.find(([pattern]) => pattern.test(userAgent)) ?? [];
  return [
    ['sec-ch-ua', `"Chromium";v="${version}", "Google Chrome";v="${version}", "Not_A Brand";v="99"`],
    ['sec-ch-ua-mobile', /\bMobile\b/.test(userAgent) ? '?1' : '?0'],
    ['sec-ch-ua-platform', `"${platform}"`],
  ];
}

const KEEP_ALIVE: Field = ['Connection', 'keep-alive'];
const UPGRADE: Field = ['Upgrade-Insecure-Requests', '1'];
const FROM_CACHES: Field = ['Cache-Control', 'no-cache'];
const FROM_OLD_CACHES: Field = ['Pragma', 'no-cache'];
const FETCHED: readonly Field[] = [
  ['Sec-Fetch-Site', 'none'],
  ['Sec-Fetch-Mode', 'navigate'],
  ['Sec-Fetch-User', '?1'],
  ['Sec-Fetch-Dest', 'document'],
];

/** Of a connection and a request. */
interface Way {
  readonly isSecure: boolean;
  /** Asks every cache on the way for a fresh answer. */
  readonly bypassCaches: boolean;
}

const when = (is: boolean, ...fields: readonly Field[]): readonly Field[] => (is ? fields : []);

/** Browsers take the denser ones over TLS only, because proxies have spoiled them. */
const encodings = (isSecure: boolean): Field => [
  'Accept-Encoding',
  ['gzip', 'deflate', ...(isSecure ? ['br', 'zstd'].filter(canDecode) : [])].join(', '),
];

const chrome = (userAgent: string, { isSecure, bypassCaches }: Way): Field[] => [
  KEEP_ALIVE,
  ...when(bypassCaches, FROM_OLD_CACHES, FROM_CACHES),
  ...when(isSecure, ...clientHints(userAgent)),
  UPGRADE,
  ['User-Agent', userAgent],
  [
    'Accept',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  ],
  ...when(isSecure, ...FETCHED),
  encodings(isSecure),
  ['Accept-Language', 'en-US,en;q=0.9'],
];

const firefox = ({ isSecure, bypassCaches }: Way): Field[] => [
  ['User-Agent', FIREFOX],
  ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['Accept-Language', 'de,en-US;q=0.7,en;q=0.3'],
  encodings(isSecure),
  KEEP_ALIVE,
  UPGRADE,
  ...when(isSecure, ...FETCHED.toReversed()),
  ['Priority', 'u=0, i'],
  ...when(bypassCaches, FROM_OLD_CACHES, FROM_CACHES),
];

const tool = (userAgent: string, { bypassCaches }: Way, ...further: readonly Field[]): Field[] => [
  ['User-Agent', userAgent],
  ['Accept', '*/*'],
  ...further,
  ...when(bypassCaches, FROM_CACHES, FROM_OLD_CACHES),
];

/** What each client sends, in its order, given the User-Agent of Assay and the one for browsers. */
const FIELDS_OF: Readonly<Record<ClientName, (userAgent: string, browser: string, way: Way) => Field[]>> = {
  assay: (userAgent, _browser, way) => tool(userAgent, way, ['Accept-Encoding', 'gzip, deflate, br']),
  curl: (_userAgent, _browser, way) => tool(CURL, way),
  desktop: (_userAgent, browser, way) => chrome(browser, way),
  firefox: (_userAgent, _browser, way) => firefox(way),
  mobile: (_userAgent, browser, way) => chrome(mobileUserAgent(versionOf(browser) ?? CHROME_VERSION), way),
};

export interface Presented extends Way {
  readonly client: ClientName;
  /** Of Assay, with its contact. */
  readonly userAgent: string;
  /** Null if the operator allows no other name: then every request has that of Assay. */
  readonly browserUserAgent: string | null;
  readonly isWithoutContact: boolean;
  /** What the request states. The contact always travels beside a `User-Agent` of its own. */
  readonly headers?: readonly Field[] | undefined;
  /** By which the target's logs tell the requests of a job. */
  readonly job?: string;
}

/** The fields by which a target distinguishes clients. The contact travels in a field of its own beside another name. */
export const identityFields = ({ job, ...presented }: Presented): readonly Field[] =>
  job === undefined ? clientFields(presented) : [...clientFields(presented), ['X-Assay-Job', job]];

function clientFields({
  client,
  userAgent,
  browserUserAgent,
  isWithoutContact,
  headers = [],
  ...way
}: Omit<Presented, 'job'>): readonly Field[] {
  const ours = firstOfKind(client === 'assay' || client === 'curl' ? 'assay' : 'browser');
  const played = browserUserAgent === null ? ours : client;
  const fields = FIELDS_OF[played](userAgent, browserUserAgent ?? userAgent, way);
  const isNamed = client === 'assay' || browserUserAgent === null || isWithoutContact;
  const isRenamed = headers.some(([name]) => /^user-agent$/i.test(name));
  return isNamed && !isRenamed ? fields : [...fields, contactField(userAgent)];
}
