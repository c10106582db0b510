export type Field = readonly [name: string, value: string];

/** The client that a request presents: Assay itself, or a browser. */
export type ClientIdentity = 'assay' | 'browser';

export const NO_CACHE: readonly Field[] = [
  ['Cache-Control', 'no-cache'],
  ['Pragma', 'no-cache'],
];

/** Every browser offers HTTP/2. Some balancers lead clients that do to other servers. */
export const prefersHttp2 = (identity: ClientIdentity): boolean => identity !== 'assay';

const ENCODINGS = 'gzip, deflate, br';

/** The mailbox in a name such as `Assay (security@example.com)`, for the field that RFC 9110 has for it. */
function contactField(userAgent: string): Field {
  const [mailbox] = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/.exec(userAgent) ?? [];
  return mailbox === undefined ? ['X-Contact', userAgent] : ['From', mailbox];
}

/**
 * The fields by which a target distinguishes clients. A browser's User-Agent is sent only if the operator configures one;
 * the contact then travels in a field of its own.
 */
export function identityFields(
  identity: ClientIdentity,
  userAgent: string,
  browserUserAgent: string | null,
): readonly Field[] {
  if (identity === 'assay') {
    return [
      ['User-Agent', userAgent],
      ['Accept', '*/*'],
      ['Accept-Encoding', ENCODINGS],
    ];
  }
  return [
    ['User-Agent', browserUserAgent ?? userAgent],
    ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'],
    ['Accept-Language', 'en-US,en;q=0.9'],
    ['Accept-Encoding', ENCODINGS],
    ['Sec-Fetch-Dest', 'document'],
    ['Sec-Fetch-Mode', 'navigate'],
    ['Sec-Fetch-Site', 'none'],
    ['Sec-Fetch-User', '?1'],
    ...(browserUserAgent === null ? [] : [contactField(userAgent)]),
  ];
}
