import { isRecord, type JsonRecord } from '../../kernel/is-record';
import { recordIn } from '../json-record';
import type { Page } from '../page';
import type { FieldValue, RequestField, SignInRequest, TokenPlace } from './account';
import { markedValues } from './issued-secrets';

/** `data.token` of an object. */
function atPath(record: JsonRecord, path: string): unknown {
  let found: unknown = record;
  for (const name of path.split('.')) found = isRecord(found) ? found[name] : undefined;
  return found;
}

/** The values that the answers so far have under a name, the latest first: a field, a `meta` element, a key of JSON. */
export function valueInPages(pages: readonly Page[], name: string): string | null {
  for (const page of pages.toReversed()) {
    const [, marked] = [...markedValues(page.text)].find(([other]) => other === name) ?? [];
    const key = atPath(recordIn(page.text) ?? {}, name);
    if (marked !== undefined) return marked;
    if (typeof key === 'string' || typeof key === 'number') return `${key}`;
  }
  return null;
}

const LAST = [
  'access_token',
  'accessToken',
  'token',
  'id_token',
  'idToken',
  'jwt',
  'auth_token',
  'authToken',
  'session_token',
];
const USUAL_PATHS = ['', 'data.', 'authentication.', 'result.', 'user.', 'auth.'].flatMap((prefix) =>
  LAST.map((name) => `${prefix}${name}`),
);

export interface FoundToken {
  readonly path: string;
  readonly header: string;
  readonly value: string;
}

/** The token of an answer, at the place in the recipe or under a usual name. */
export function tokenIn({ text }: Page, place: TokenPlace | undefined): FoundToken | null {
  const record = recordIn(text);
  if (record === null) return null;
  for (const path of place === undefined ? USUAL_PATHS : [place.path]) {
    const token = atPath(record, path);
    if (typeof token !== 'string' || !/^[\x21-\x7e]{8,8000}$/.test(token)) continue;
    const header = place?.header ?? 'Authorization';
    const prefix = place?.prefix ?? (/^authorization$/i.test(header) ? 'Bearer ' : '');
    return { path, header, value: `${prefix}${token}` };
  }
  return null;
}

/** The body of a request as JSON. A name with dots is a field of a nested object. */
function jsonOf(fields: readonly (readonly [name: string, value: string])[]): string {
  const body: Record<string, unknown> = Object.create(null);
  for (const [name, value] of fields) {
    const names = name.split('.');
    let place = body;
    for (const one of names.slice(0, -1)) {
      const inner = isRecord(place[one]) ? place[one] : Object.create(null);
      place[one] = inner;
      place = inner;
    }
    place[names.at(-1) ?? name] = value;
  }
  return JSON.stringify(body);
}

type Text = readonly [name: string, value: string];

/** The body and its type; null without one. */
export function bodyOf(
  format: SignInRequest['format'],
  fields: readonly Text[],
): { readonly body: string; readonly type: string } | null {
  if (format === 'none') return null;
  return format === 'json'
    ? { body: jsonOf(fields), type: 'application/json' }
    : {
        body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
        type: 'application/x-www-form-urlencoded',
      };
}

const isCredential = ({ from }: FieldValue): boolean => from === 'password' || from === 'totp';

export const sendsCredential = ({ fields, headers = [] }: SignInRequest): boolean =>
  [...fields, ...headers].some(([, value]: RequestField) => isCredential(value));
