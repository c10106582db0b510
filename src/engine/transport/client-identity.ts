import { canDecode } from './body';

export type Field = readonly [name: string, value: string];

/** How a request presents itself: as a tool that identifies itself as Assay, or as a browser. */
export type ClientIdentity = 'assay' | 'browser';

/** The clients that verifications imitate. The first of each kind sends whole probes, the others some of the repeats. */
export type ClientName = 'assay' | 'curl' | 'desktop' | 'firefox' | 'mobile';

/** The names of clients in reasons. */
export const CLIENT_TITLES: Readonly<Record<ClientName, string>> = {
  assay: 'Assay',
  curl: 'curl',
  desktop: 'a browser',
  firefox: 'Firefox in German',
  mobile: 'a mobile browser',
};

export const firstOfKind = (identity: ClientIdentity): ClientName => (identity === 'assay' ? 'assay' : 'desktop');

/** Browsers and curl offer HTTP/2. Some balancers route clients that do this to other servers. */
export const prefersHttp2 = (client: ClientName): boolean => client !== 'assay';

const CHROME_VERSION = '142';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const CURL = 'curl/8.14.1';

/** The mailbox in a name such as `Assay (security@example.com)`, for the `From` header (RFC 9110). */
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

/** Chrome sends client hints; few other browsers do. */
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

/** Properties of the connection and the request. */
interface Way {
  readonly isSecure: boolean;
  /** Whether every cache on the way is asked for a fresh response. */
  readonly bypassCaches: boolean;
}

const when = (is: boolean, ...fields: readonly Field[]): readonly Field[] => (is ? fields : []);

/** Browsers only accept brotli and zstd over TLS, because proxies have corrupted them. */
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

/** The headers that each client sends, in its order, with the User-Agent of Assay and the one for browsers. */
const FIELDS_OF: Readonly<Record<ClientName, (userAgent: string, browser: string, way: Way) => Field[]>> = {
  assay: (userAgent, _browser, way) => tool(userAgent, way, ['Accept-Encoding', 'gzip, deflate, br']),
  curl: (_userAgent, _browser, way) => tool(CURL, way),
  desktop: (_userAgent, browser, way) => chrome(browser, way),
  firefox: (_userAgent, _browser, way) => firefox(way),
  mobile: (_userAgent, browser, way) => chrome(mobileUserAgent(versionOf(browser) ?? CHROME_VERSION), way),
};

export interface Presented extends Way {
  readonly client: ClientName;
  /** The User-Agent of Assay, with its contact. */
  readonly userAgent: string;
  /** Null if the operator allows no other name: then every request has that of Assay. */
  readonly browserUserAgent: string | null;
  readonly isWithoutContact: boolean;
  /** The headers of the request. If they include a `User-Agent`, the contact is still sent in its own header. */
  readonly headers?: readonly Field[] | undefined;
  /** The id of the job, by which its requests are found in the target's logs. */
  readonly job?: string;
}

/** The headers by which a target distinguishes clients. With another name than Assay, the contact is sent in its own header. */
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
