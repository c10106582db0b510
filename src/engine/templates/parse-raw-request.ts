import { decideField, methodRefusal } from './request-fields';

export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
  /** Whether it is only sent in the first round of the payloads. */
  readonly isOnce: boolean;
  /** Whether its timeout is longer than a request may take. */
  readonly isSlow: boolean;
}

/** The maximum duration of an exchange. */
export const LONGEST_TIMEOUT_SECONDS = 30;

const lineEnd = '\r\n';

type Annotation = { readonly seconds: number } | 'once' | { readonly refusal: string };

function annotationOf(line: string): Annotation {
  const [, name = '', value = ''] = /^@([\w-]+)\s*:?\s*(.*)$/s.exec(line) ?? [];
  if (name === 'once' && value === '') return 'once';
  if (name !== 'timeout') return { refusal: `@${name} is not supported` };
  const [, digits, unit] = /^(\d{1,6})(ms|s|m)?\s*$/.exec(value) ?? [];
  if (digits === undefined) return { refusal: '@timeout must be a number of seconds, such as 20s' };
  return { seconds: Number(digits) * ({ ms: 0.001, s: 1, m: 60 }[unit ?? 's'] ?? 1) };
}

/** The method, and the target with its expressions, before the version. */
const REQUEST_LINE = /^(?<method>[^\s]+)\s+(?<rest>.*)$/s;
const VERSION = /(?<!\s)\s+HTTP\/([\d.]+)$/;

/** Templates with these versions are sent with HTTP/1.1; some versions are typing errors, such as 1.11. */
const SENT_AS_1_1 = /^(?:1(?:\.1\d?)?|[23](?:\.0)?)$/;

/** Lines end with CR LF. A form or document ends with its text; the parts of a multipart body end with a line break. */
function bodyOf(lines: readonly string[], headers: RawRequest['headers']): string | null {
  const body = lines.join(lineEnd);
  const trimmed = body.replace(/(?<!\r\n)(?:\r\n)+$/, '');
  if (trimmed === '') return null;
  const isMultipart = headers.some(([name, value]) => /^content-type$/i.test(name) && /^\s*multipart\//i.test(value));
  return isMultipart ? `${trimmed}${lineEnd}` : trimmed;
}

/** Parses a raw request of a template. Requests that are not valid HTTP are refused. */
export function parseRawRequest(raw: string): RawRequest | { readonly refusals: readonly string[] } {
  const lines = raw.replace(/^\s+/, '').split(/\r?\n/);
  const refusals: string[] = [];
  let [isOnce, isSlow] = [false, false];
  while (lines[0]?.startsWith('@')) {
    const annotation = annotationOf(lines.shift() ?? '');
    if (annotation === 'once') isOnce = true;
    else if ('refusal' in annotation) refusals.push(annotation.refusal);
    else isSlow ||= annotation.seconds > LONGEST_TIMEOUT_SECONDS;
  }
  const { method = '', rest = '' } = REQUEST_LINE.exec(lines.shift() ?? '')?.groups ?? {};
  const stem = rest.trimEnd();
  const [, version = '1.1'] = VERSION.exec(stem) ?? [];
  const target = stem.replace(VERSION, '');
  refusals.push(methodRefusal(method) ?? '');
  if (!SENT_AS_1_1.test(version)) refusals.push(`HTTP/${version} is not supported`);
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
  return stated.length > 0
    ? { refusals: stated }
    : { method, target, headers, body: bodyOf(lines, headers), isOnce, isSlow };
}
