import { redact, REDACTED } from '../kernel/redact';

/** Characters that have no place in a text of a finding: controls, and those that change the direction of the text around them. */
const CONTROLS = /(?![\t\n])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** Headers and options whose values are credentials. */
const CREDENTIAL_NAMES = [
  '(?:set-)?cookie2?',
  '(?:proxy-)?authori[sz]ation',
  'x-amz-security-token',
  'x-(?:[a-z0-9-]{0,30}-)?(?:api-?key|apikey|auth|token|secret|session|csrf|xsrf)(?:-[a-z0-9-]{1,30})?',
  '(?:x-)?(?:api-?key|apikey|auth-?token|access-?token|csrf-?token|xsrf-?token|private-?token|subscription-key)',
  'ocp-apim-subscription-key',
].join('|');

/** In JSON; in quotes, as in the arguments of a command; otherwise up to the end of the line, with folded lines after it. */
const IN_JSON = new RegExp(String.raw`"(${CREDENTIAL_NAMES})"\s{0,8}:\s{0,8}"(?:[^"\\]|\\.){0,65536}"`, 'gi');
const IN_QUOTES = new RegExp(
  String.raw`(["'])(${CREDENTIAL_NAMES})[ \t]{0,8}:(?:(?!\1)[^\r\n\\]|\\.){1,65536}\1`,
  'gi',
);
const IN_LINE = new RegExp(
  String.raw`(?<![\w-])(${CREDENTIAL_NAMES})((?:\\?["'])?[ \t]{0,8}:)(?![ \t]{0,8}"?\[redacted\])[^\r\n]{0,65536}(?:\r?\n[ \t]+[^\r\n]{1,65536})*`,
  'gi',
);
const BEARER = /\b(Bearer)[ \t]+(?=[\w+/=.~-]{0,200}[\d.])[\w+/=.~-]{8,8192}/gi;
const USER_INFORMATION = /\b([a-z][a-z\d+.-]{1,20}:\/\/)[^\s/?#@"'<>]{1,512}@/gi;

/** Removes the values of Cookie, Authorization and similar headers, also in the middle of a text, and passwords in URLs. */
export function redactHeaders(text: string): string {
  return text
    .replace(IN_JSON, `"$1": "${REDACTED}"`)
    .replace(IN_QUOTES, `$1$2: ${REDACTED}$1`)
    .replace(IN_LINE, `$1$2 ${REDACTED}`)
    .replace(BEARER, `$1 ${REDACTED}`)
    .replace(USER_INFORMATION, '$1');
}

/**
 * Also removes keys, tokens and passwords. It may mistake a name with a value in prose for one of these, so titles and advice are
 * not cleaned this way.
 */
export const redactCredentials = (text: string): string => redact(redactHeaders(text));

/** Makes a copy, because a substring keeps the whole string in memory. Lone surrogates are replaced. */
const copyOf = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');

export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return copyOf(text);
  const last = text.charCodeAt(limit - 2);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return copyOf(`${text.slice(0, isHalf ? limit - 2 : limit - 1)}…`);
}

/** Cleans a text of several lines. Null if nothing is left. */
export function cleanText(
  text: string | null | undefined,
  limit: number,
  redacted: (text: string) => string = redactHeaders,
): string | null {
  if (text === null || text === undefined) return null;
  // Text beyond the limit is not cleaned. Redaction shortens the text, so more than the limit is passed to it.
  const clean = redacted(
    text
      .slice(0, limit * 4)
      .replace(/\r\n?/g, '\n')
      .replace(CONTROLS, ''),
  )
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return clean === '' ? null : shorten(clean, limit);
}

/** Cleans a text of one line. */
export const cleanLine = (text: string | null | undefined, limit: number): string | null =>
  cleanText(text?.slice(0, limit * 4).replace(/\s+/g, ' '), limit);

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

function decodeEntity(entity: string, name: string): string {
  const known = ENTITIES.get(name.toLowerCase());
  if (known !== undefined) return known;
  if (!name.startsWith('#')) return entity;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : entity;
}

const decodeEntities = (text: string): string => text.replace(/&(#?\w{1,10});/g, decodeEntity);

/** Longer HTML is cut off. Descriptions of scanners are far shorter. */
const MAX_HTML = 64 * 1024;

/** Converts the HTML that some tools write into descriptions to text. The result may contain any character, also < and >. */
export function htmlToText(html: string): string {
  const limited = html.slice(0, MAX_HTML);
  return decodeEntities(
    limited
      .replace(/<li\b[^<>]{0,500}>/gi, '\n- ')
      .replace(/<(?:\/?(?:p|div|ul|ol|h[1-6]|pre|tr|table)|br)\b[^<>]{0,500}>/gi, '\n')
      .replace(/<\/?[a-z][^<>]{0,2000}>/gi, ''),
  );
}
