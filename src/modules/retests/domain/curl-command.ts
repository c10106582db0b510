import type { InsertionPoint, SentRequest } from '../../../engine';
import { REDACTED, redact } from '../../../kernel/redact';

const PRINTABLE = /^[\x20-\x7e]*$/;
/** A token of HTTP, so that curl takes the argument for a field and not for the name of a file. */
const FIELD_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const METHOD = /^[A-Z]{1,20}$/;

/** An argument of a shell, in which it changes nothing. Other characters than those of ASCII are written as bytes. */
export function shellQuoted(text: string): string {
  if (PRINTABLE.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  const written = [...Buffer.from(text.toWellFormed())].map((byte) =>
    byte >= 0x20 && byte <= 0x7e && byte !== 0x27 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, '0')}`,
  );
  return `$'${written.join('')}'`;
}

/** A path as it is sent: other characters than those of ASCII, and spaces, are percent-encoded. */
const encodedPath = (path: string): string =>
  path.toWellFormed().replace(/[^\x21-\x7e]/gu, (sign) => encodeURIComponent(sign));

/** The cookies that are not tested may be those of a session. */
const withOwnCookie = (cookies: string, { kind, name }: Pick<InsertionPoint, 'kind' | 'name'>): string =>
  cookies
    .split(/;\s*/)
    .map((pair) => {
      const own = pair.split('=', 1)[0] ?? '';
      return kind === 'cookie' && own === name ? pair : `${own}=${REDACTED}`;
    })
    .join('; ');

/** A line for a shell that sends the request again, without secrets: `SESSION` is a field that the reader fills in. */
export function curlCommand(
  origin: string,
  { method = 'GET', path, headers = [], body }: SentRequest,
  point: Pick<InsertionPoint, 'kind' | 'name'>,
  isSignedIn = false,
): string {
  const fields = headers
    .filter(([name]) => FIELD_NAME.test(name))
    .map(([name, value]) =>
      name.toLowerCase() === 'cookie' ? `${name}: ${withOwnCookie(value, point)}` : redact(`${name}: ${value}`),
    );
  return [
    'curl --include --globoff --path-as-is',
    ...(method === 'GET' || !METHOD.test(method) ? [] : [`--request ${method}`]),
    ...fields.map((field) => `--header ${shellQuoted(field)}`),
    ...(isSignedIn ? ['--header "$SESSION"'] : []),
    ...(body === undefined ? [] : [`--data-raw ${shellQuoted(redact(body))}`]),
    shellQuoted(redact(`${origin}${encodedPath(path)}`)),
  ].join(' ');
}
