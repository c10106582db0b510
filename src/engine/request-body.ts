import { isRecord } from '../kernel/is-record';
import { Headers } from './transport/headers';
import type { SentRequest } from './sent-request';

/** A value in the body of a request. The name of a member of JSON is its path: `user.name`, `items.0.id`. */
export interface BodyValue {
  readonly name: string;
  readonly value: string;
}

type WithBody = Pick<SentRequest, 'headers' | 'body'>;

interface BodyFormat {
  readonly matches: RegExp;
  readonly read: (body: string, type: string) => BodyValue[];
  /** The body with the value at each place of this name. */
  readonly write: (body: string, type: string, one: BodyValue) => string;
}

const MOST_VALUES = 100;
const DEEPEST = 8;

/** Percent-encoded. `+` for a space is avoided, because not all servers decode it everywhere. */
export const percentEncoded = (text: string): string =>
  // A lone surrogate cannot be encoded.
  encodeURIComponent(text.toWellFormed()).replace(
    /['()*!~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const pairOf = ({ name, value }: BodyValue): string => `${percentEncoded(name)}=${percentEncoded(value)}`;

/** A body of a form that is encoded as usual. */
export const urlencodedBody = (fields: readonly BodyValue[]): string => fields.map(pairOf).join('&');

/** Changes each part of this name, because applications read the first or the last, and keeps the order. */
export function withPair(query: string, one: BodyValue): string {
  const parts = query === '' ? [] : query.split('&');
  const isOwn = (part: string): boolean => new URLSearchParams(part).has(one.name);
  return parts.some(isOwn)
    ? parts.map((part) => (isOwn(part) ? pairOf(one) : part)).join('&')
    : [...parts, pairOf(one)].join('&');
}

const boundaryOf = (type: string): string => /boundary="?([^";\s]{1,100})/i.exec(type)?.[1] ?? '';

const partNames = (part: string): string | null => /^[^\n]*\bname="([^"\r\n]{0,200})"/im.exec(part)?.[1] ?? null;

/** Quotes and line breaks in a name are written as browsers write them. */
const quotedName = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const partOf = ({ name, value }: BodyValue): string =>
  `\r\nContent-Disposition: form-data; name="${quotedName(name)}"\r\n\r\n${value}\r\n`;

/** A body of `multipart/form-data` with these fields. */
export const multipartBody = (fields: readonly BodyValue[], boundary: string): string =>
  `${fields.map((field) => `--${boundary}${partOf(field)}`).join('')}--${boundary}--\r\n`;

const partsOf = (body: string, type: string): BodyValue[] =>
  body.split(`--${boundaryOf(type)}`).flatMap((part) => {
    const name = partNames(part);
    const start = part.indexOf('\r\n\r\n');
    return name === null || start < 0 ? [] : [{ name, value: part.slice(start + 4, -2) }];
  });

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function membersOf(value: unknown, path: readonly string[] = []): BodyValue[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ name: path.join('.'), value: String(value) }];
  const isNested = path.length < DEEPEST && (isRecord(value) || Array.isArray(value));
  if (!isNested) return [];
  // A name with a dot could not be told from a path.
  const entries = Object.entries(value).filter(([name]) => !name.includes('.'));
  return entries.slice(0, MOST_VALUES).flatMap(([name, inner]) => membersOf(inner, [...path, name]));
}

/** Every member at any depth, also those that are no place for a test. Without recursion. */
function allMembersOf(root: unknown): BodyValue[] {
  const found: BodyValue[] = [];
  const open: { readonly name: string; readonly value: unknown }[] = [{ name: '', value: root }];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { name, value } = one;
    const inside = typeof value === 'object' && value !== null ? Object.entries(value) : null;
    const said = typeof value === 'string' ? value : JSON.stringify(value);
    found.push({ name, value: inside === null ? said : '' });
    for (const [own, inner] of inside ?? []) open.push({ name: name === '' ? own : `${name}.${own}`, value: inner });
  }
  return found;
}

/** The value as it was keeps its type. */
function withMember(value: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return String(value) === text ? value : text;
  if (Array.isArray(value)) return value.map((one, at) => (`${at}` === name ? withMember(one, rest, text) : one));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([own, inner]) => [own, own === name ? withMember(inner, rest, text) : inner]),
  );
}

const FORMATS: readonly BodyFormat[] = [
  {
    matches: /^application\/x-www-form-urlencoded/i,
    read: (body) => [...new URLSearchParams(body)].map(([name, value]) => ({ name, value })),
    write: (body, _type, one) => withPair(body, one),
  },
  {
    matches: /^multipart\/form-data/i,
    read: partsOf,
    write: (body, type, one) => {
      const fields = partsOf(body, type);
      const isNew = fields.every(({ name }) => name !== one.name);
      const all = isNew ? [...fields, one] : fields.map((field) => (field.name === one.name ? one : field));
      return multipartBody(all, boundaryOf(type));
    },
  },
  {
    matches: /^application\/(?:[\w.-]+\+)?json/i,
    read: (body) => membersOf(parsed(body)),
    write: (body, _type, { name, value }) => JSON.stringify(withMember(parsed(body), name.split('.'), value)),
  },
];

const typeOf = ({ headers = [] }: WithBody): string => new Headers(headers).get('content-type') ?? '';
const formatOf = (request: WithBody): BodyFormat | undefined =>
  FORMATS.find(({ matches }) => matches.test(typeOf(request)));

/** Whether the body is JSON, which no form of another site can send. */
export const hasJsonBody = (request: WithBody): boolean => /json/i.test(typeOf(request));

/** The values in the body; none in a format that is not known. */
export const valuesOfBody = (request: WithBody): readonly BodyValue[] =>
  formatOf(request)
    ?.read(request.body ?? '', typeOf(request))
    .filter(({ name }) => name !== '')
    .slice(0, MOST_VALUES) ?? [];

/** All that the body says, for the rules about what may be sent. */
export const saidInBody = (request: WithBody): readonly BodyValue[] =>
  hasJsonBody(request)
    ? allMembersOf(parsed(request.body ?? ''))
    : (formatOf(request)?.read(request.body ?? '', typeOf(request)) ?? []);

/** The body with another value at this name. */
export const bodyWith = (request: WithBody, name: string, value: string): string =>
  formatOf(request)?.write(request.body ?? '', typeOf(request), { name, value }) ?? request.body ?? '';

/** The body of a form without the fields of these names. */
export function bodyWithout(request: WithBody, names: ReadonlySet<string>): string {
  const type = typeOf(request);
  const fields = (formatOf(request)?.read(request.body ?? '', type) ?? []).filter(({ name }) => !names.has(name));
  return type.toLowerCase().startsWith('multipart/') ? multipartBody(fields, boundaryOf(type)) : urlencodedBody(fields);
}
