export const REDACTED = '[redacted]';
const NOT_REDACTED = '(?!\\[redacted)';

/** What people call a secret, within whatever else is in its name. */
const WORDS = 'passw(?:or)?d|passphrase|pwd|secret|token|credential|session|signature|salt';
const SECRET = `(?:${WORDS}|(?:api|app|access|account|private|auth|encryption|master|signing|[a-z]_)[_-]?key)`;

/** A part of the name of a secret, which is found much faster. */
const PART_OF_SECRET_NAME = new RegExp(`${WORDS}|key`, 'i');

/** How a value follows its name: in files of settings, in JSON, in code, in a table of phpinfo(), in Actuator's answers. */
const FOLLOWS =
  '(?:["\']?[ \\t]{0,8}(?:=>|=|:[ \\t]{0,8}\\{[ \\t\\r\\n]{0,20}"value"[ \\t]{0,8}:|:)[ \\t]{0,8}|["\'][ \\t]{0,8},[ \\t]{0,8}(?=["\'])|[ \\t]{0,4}<\\/td><td class="v">)';

/** A text in quotes, over its escapes up to its end or to where it was cut. */
const quoted = (quote: string): string => `${quote}${NOT_REDACTED}(?:[^${quote}\\\\\\r\\n]|\\\\.)+${quote}?`;

const PASSWORD_HASH =
  '(?:\\$(?:apr1|1|2[abxy]?|5|6|7|y|gy|argon2(?:id?|d)|pbkdf2(?:-sha\\d{1,3})?)\\$[\\w./$=,+-]{8,}|\\{(?:S?SHA(?:256|384|512)?|S?MD5|CRYPT|PBKDF2[\\w-]{0,10})\\}[\\w+/=.$-]{8,})';

/** Rows of a dump: to the end of the statement, which is not in a text. */
const ROWS = "(?:'(?:[^'\\\\]|\\\\[\\s\\S])*(?:'|$)|[^';])*";

/** What follows a colon in the authority of a URL, and has no user information behind it, is a port. */
const PORT_OF_URL = '(?=:\\d{1,5}/)(?<=://[\\w.-]{0,250}\\k<name>)';

/** In a sentence of ours a clause may follow a path and a colon: "/.htpasswd: not there". */
const CLAUSE_AFTER_PATH =
  '(?=: [a-z]{1,20} [a-z])(?<=(?:^|[\\s(])(?:https?://[\\w.:[\\]-]{1,260})?/[\\w.~%@+/-]{0,300}\\k<name>)';

/** Or a quoted record: 'example.com says "v=DMARC1; p=none; rua=mailto:a@example.com": forged mail is delivered'. */
const CLAUSE_AFTER_RECORD = '(?=": [a-z]{1,20} [a-z])(?<= says "v=[^"]{0,1000}\\k<name>)';

/**
 * Goes from a part of a name to its end, which is one place, and looks back from there. A search from each place where a
 * name may begin takes long in texts that are full of them. What `rest` has taken is not tried in shorter pieces.
 */
const namedSecret = (value: string, exceptions = '(?!)'): RegExp =>
  new RegExp(
    `(?<kept>(?:${PART_OF_SECRET_NAME.source})(?=(?<rest>[\\w.-]{0,40}))\\k<rest>(?=${FOLLOWS})(?<=\\b(?<name>[\\w.-]{0,40}?${SECRET}[\\w.-]{0,40}?))(?!${exceptions})${FOLLOWS})${value}`,
    'gi',
  );

/** `part` is in each match, where a search for it is much faster than one for the pattern. */
export type RedactionRule = readonly [pattern: RegExp, replacement: string, part?: RegExp];

/** Every repetition is bounded or cannot overlap, because the text is untrusted. */
const rulesExcept = (exceptions: readonly string[]): readonly RedactionRule[] => [
  [/^((?:proxy-)?authorization|cookie|x-[a-z-]{0,30}(?:key|token|auth|secret))(:[ \t]*)[^\r\n]+/gim, `$1$2${REDACTED}`],
  [/^(set-cookie:[^=;\r\n]*=)[^;\r\n]+/gim, `$1${REDACTED}`],
  [
    /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
    REDACTED,
  ],
  // Logs and indexes of Git: who has committed, and the names of files.
  [/^([\da-f]{40}(?:[\da-f]{24})? [\da-f]{40}(?:[\da-f]{24})? )(?!\[redacted)[^\r\n]+/gm, `$1${REDACTED}`],
  [/^(DIRC(?:\\x00){3}\\x0[2-4])(?!\[redacted)[\s\S]+/, `$1${REDACTED}`],
  [/^(Private-Lines: \d{1,4}\r?\n)(?:[\w+/=]{1,100}(?:\r?\n|$(?![\s\S]))){1,400}/gm, `$1${REDACTED}\n`],
  [
    new RegExp(
      `\\b((?:INSERT|REPLACE)\\s(?:[A-Z_]{1,20}\\s){0,3}INTO\\s{1,8}[^\\s(;]{1,200}\\s{0,8}(?:\\([^();]{0,4000}\\)\\s{0,8})?VALUES?)\\s{0,8}\\(${ROWS}`,
      'gi',
    ),
    `$1 ${REDACTED}`,
  ],
  [/^(COPY [^\r\n]{1,1000} FROM stdin;\r?\n)[\s\S]*?(?:^\\\.\r?$|$(?![\s\S]))/gim, `$1${REDACTED}`],
  [
    new RegExp(`\\b(IDENTIFIED[^'";\\r\\n]{1,80}|PASSWORD\\s{1,8})(?:${quoted("'")}|${quoted('"')})`, 'gi'),
    `$1${REDACTED}`,
  ],
  [new RegExp(PASSWORD_HASH, 'g'), REDACTED],
  [/^([^\s:<>{}"]{1,100}:)(?=\S*\d)(?=\S*[A-Z])[\w./]{13}$/gm, `$1${REDACTED}`],
  // Not of prose, such as "Basic authentication".
  [/\b(bearer|basic)[ \t]+(?=[\w~+/=-]{0,200}(?:[\d=]|\.\w))[\w.~+/=-]{8,}/gi, `$1 ${REDACTED}`],
  [namedSecret(quoted('"')), `$<kept>"${REDACTED}"`, PART_OF_SECRET_NAME],
  [namedSecret(quoted("'")), `$<kept>'${REDACTED}'`, PART_OF_SECRET_NAME],
  [
    namedSecret(`${NOT_REDACTED}(?!\\{\\s{0,20}")[^\\s"'&,;<>]+`, exceptions.join('|')),
    `$<kept>${REDACTED}`,
    PART_OF_SECRET_NAME,
  ],
  // As variables of an environment are written: the rest of the line is the value, in quotes or not.
  [
    new RegExp(
      `^([ \\t]{0,8}(?:export )?[A-Z][A-Z\\d_]{0,60}(?:KEY|PASS|DSN|AUTH|PIN) ?= ?["']?)${NOT_REDACTED}[^"'\\r\\n]+`,
      'gm',
    ),
    `$1${REDACTED}`,
  ],
  [/(:\/\/[^\s:/@]{0,100}:)[^\s@/]{1,200}@/g, `$1${REDACTED}@`],
  [/(:\/\/)[\w-]{16,200}@/g, `$1${REDACTED}@`],
  [/eyJ[\w-]{8,}(?:\.[\w-]*){0,4}/g, REDACTED],
  [/\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{12,20}\b(?:[ \t]?[,;:\t][ \t]?[\w+/]{40}\b)?/g, REDACTED],
  [
    /\b(?:gh[pousr]_|github_pat_|glpat-|dckr_pat_|npm_|xox[abeprs]-|[sr]k_(?:live|test)_|whsec_|sk-|SG\.|AIza|as_)[\w.-]{10,}/g,
    REDACTED,
  ],
];

const RULES = rulesExcept([PORT_OF_URL]);
export const RULES_FOR_SENTENCES = rulesExcept([PORT_OF_URL, CLAUSE_AFTER_PATH, CLAUSE_AFTER_RECORD]);

/** The text without anything that would give its reader access: credentials, cookies' values, tokens, keys, rows of dumps. */
export function redact(text: string, rules = RULES): string {
  return rules.reduce(
    (rest, [pattern, replacement, part]) => (part?.test(rest) === false ? rest : rest.replace(pattern, replacement)),
    text,
  );
}
