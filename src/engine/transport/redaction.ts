/** How much of a message is kept. */
const KEPT = 8_192;
/** How much is looked through before it is cut, so that a secret on the edge is still recognised. */
const LOOKED_AT = 2 * KEPT;

const MARK = '[redacted]';

const SECRET_NAME =
  '[\\w.-]{0,40}(?:passw(?:or)?d|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential|session|signature)[\\w.-]{0,40}';

/** Every repetition is bounded or cannot be begun twice: the text is a stranger's. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/^((?:proxy-)?authorization|cookie|x-[a-z-]{0,30}(?:key|token|auth|secret))(:[ \t]*)[^\r\n]+/gim, `$1$2${MARK}`],
  [/^(set-cookie:[ \t]*[^=;\r\n]*=)[^;\r\n]+/gim, `$1${MARK}`],
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g, MARK],
  [/\b(bearer|basic)[ \t]+[\w.~+/=-]{8,}/gi, `$1 ${MARK}`],
  [
    new RegExp(`\\b(${SECRET_NAME}["']?[ \\t]{0,8}(?:=>|=|:)[ \\t]{0,8}["']?)(?!\\[redacted)[^\\s"'&,;<>]+`, 'gi'),
    `$1${MARK}`,
  ],
  [/(:\/\/[^\s:/@]{1,100}:)[^\s@/]{1,200}@/g, `$1${MARK}@`],
  [/\beyJ[\w-]{8,4000}(?:\.[\w-]{0,4000}){0,2}/g, MARK],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{12,20}\b/g, MARK],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|[sr]k_live_|as_)[\w-]{10,255}/g, MARK],
];

/** The text without what would let its reader in somewhere: credentials, cookies' values, tokens, keys. */
export function redact(text: string): string {
  return SECRETS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
}

const escaped = (text: string): string =>
  text.replace(/[^\P{Cc}\t\r\n]/gu, (control) => `\\x${(control.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`);

/** Bytes as a person can read them: UTF-8 where it is that, other bytes by their number. */
export function legible(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return escaped(text.includes('\ufffd') ? bytes.toString('latin1') : text);
}

/** What is kept of a message: legible (no database takes every character), redacted, bounded. */
export function excerpt(message: Buffer | string, kept = KEPT): string {
  const start = typeof message === 'string' ? message.slice(0, LOOKED_AT) : message.subarray(0, LOOKED_AT);
  const clean = redact(typeof start === 'string' ? escaped(start) : legible(start));
  // The way through bytes mends a character that the cut went through.
  const text = Buffer.from(clean.slice(0, kept)).toString();
  return message.length > LOOKED_AT || clean.length > kept ? `${text} […]` : text;
}
