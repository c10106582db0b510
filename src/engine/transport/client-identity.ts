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

export const NO_CACHE: readonly Field[] = [
  ['Cache-Control', 'no-cache'],
  ['Pragma', 'no-cache'],
];

/** Browsers and curl offer HTTP/2. Some balancers lead clients that do to other servers. */
export const prefersHttp2 = (client: ClientName): boolean => client !== 'assay';

const ENCODINGS = 'gzip, deflate, br';
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
    ['Sec-CH-UA', `"Chromium";v="${version}", "Google Chrome";v="${version}", "Not_A Brand";v="99"`],
    ['Sec-CH-UA-Mobile', /\bMobile\b/.test(userAgent) ? '?1' : '?0'],
    ['Sec-CH-UA-Platform', `"${platform}"`],
  ];
}

const browserFields = (userAgent: string, languages: string): Field[] => [
  ['User-Agent', userAgent],
  ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'],
  ['Accept-Language', languages],
  ['Accept-Encoding', ENCODINGS],
  ['Sec-Fetch-Dest', 'document'],
  ['Sec-Fetch-Mode', 'navigate'],
  ['Sec-Fetch-Site', 'none'],
  ['Sec-Fetch-User', '?1'],
];

const ENGLISH = 'en-US,en;q=0.9';
const GERMAN = 'de,en-US;q=0.7,en;q=0.3';

/** What each client sends, given the User-Agent of Assay and the one for browsers. */
const FIELDS_OF: Readonly<Record<ClientName, (userAgent: string, browser: string) => Field[]>> = {
  assay: (userAgent) => [
    ['User-Agent', userAgent],
    ['Accept', '*/*'],
    ['Accept-Encoding', ENCODINGS],
  ],
  curl: () => [
    ['User-Agent', CURL],
    ['Accept', '*/*'],
  ],
  desktop: (_userAgent, browser) => [...browserFields(browser, ENGLISH), ...clientHints(browser)],
  firefox: () => browserFields(FIREFOX, GERMAN),
  mobile(_userAgent, browser) {
    const userAgent = mobileUserAgent(versionOf(browser) ?? CHROME_VERSION);
    return [...browserFields(userAgent, ENGLISH), ...clientHints(userAgent)];
  },
};

export interface Presented {
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
}: Omit<Presented, 'job'>): readonly Field[] {
  const ours =
    client === 'assay' || client === 'curl' ? FIELDS_OF.assay(userAgent, userAgent) : browserFields(userAgent, ENGLISH);
  const fields = browserUserAgent === null ? ours : FIELDS_OF[client](userAgent, browserUserAgent);
  const isNamed = client === 'assay' || browserUserAgent === null || isWithoutContact;
  const isRenamed = headers.some(([name]) => /^user-agent$/i.test(name));
  return isNamed && !isRenamed ? fields : [...fields, contactField(userAgent)];
}
