import { decideField, methodRefusal } from './request-fields';

export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
}

/** As long as an exchange may take at all. */
const LONGEST_TIMEOUT_SECONDS = 30;

const lineEnd = '\r\n';

function annotationRefusal(line: string): string | null {
  const [, name = '', value = ''] = /^@([\w-]+)\s*:?\s*(.*)$/.exec(line) ?? [];
  if (name !== 'timeout') return `@${name} is not supported`;
  const [, digits, unit] = /^(\d{1,6})(ms|s|m)?\s*$/.exec(value) ?? [];
  if (digits === undefined) return '@timeout must be a number of seconds, such as 20s';
  const seconds = Number(digits) * ({ ms: 0.001, s: 1, m: 60 }[unit ?? 's'] ?? 1);
  return seconds > LONGEST_TIMEOUT_SECONDS
    ? `@timeout is not supported above ${LONGEST_TIMEOUT_SECONDS} seconds, the most that a request takes`
    : null;
}

/** The method, the target with its expressions, and the version. */
const REQUEST_LINE = /^(?<method>[^\s]+)\s+(?<target>.*?)(?:\s+HTTP\/(?<version>[\d.]+))?\s*$/s;

/** Lines end as in HTTP. A form or document ends where its text ends; the parts of a multipart body end with a line. */
function bodyOf(lines: readonly string[], headers: RawRequest['headers']): string | null {
  const body = lines.join(lineEnd);
  const trimmed = body.replace(/(?:\r\n)+$/, '');
  if (trimmed === '') return null;
  const isMultipart = headers.some(([name, value]) => /^content-type$/i.test(name) && /^\s*multipart\//i.test(value));
  return isMultipart ? `${trimmed}${lineEnd}` : trimmed;
}

/** Reads a request as it is written in a template; what only a client that sends anything could send is refused. */
export function parseRawRequest(raw: string): RawRequest | { readonly refusals: readonly string[] } {
  const lines = raw.replace(/^\s+/, '').split(/\r?\n/);
  const refusals: string[] = [];
  while (lines[0]?.startsWith('@')) refusals.push(annotationRefusal(lines.shift() ?? '') ?? '');
  const { method = '', target = '', version = '1.1' } = REQUEST_LINE.exec(lines.shift() ?? '')?.groups ?? {};
  refusals.push(methodRefusal(method) ?? '');
  if (!/^(?:1\.1|2(?:\.0)?)$/.test(version)) refusals.push(`HTTP/${version} is not supported`);
  const headers: [string, string][] = [];
  for (let line = lines.shift(); line !== undefined && line.trim() !== ''; line = lines.shift()) {
    const [, name = '', value = ''] = /^([^:]*):(.*)$/s.exec(line) ?? [];
    if (name === '') refusals.push(`${JSON.stringify(line.slice(0, 40))} is not a header field`);
    else {
      const decision = decideField(name.trim(), value);
      if (decision === 'sent') headers.push([name.trim(), value.trim()]);
      else if (typeof decision === 'object') refusals.push(`${name.trim()} ${decision.refused}`);
    }
  }
  const stated = refusals.filter((reason) => reason !== '');
  return stated.length > 0 ? { refusals: stated } : { method, target, headers, body: bodyOf(lines, headers) };
}
