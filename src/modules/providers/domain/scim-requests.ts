import { isRecord } from '../../../kernel/is-record';
import { parseId } from '../../../platform/http/path-id';
import { EMAIL_PATTERN, MAX_EMAIL_LENGTH } from '../../identity/domain/email-address';
import { invalidFilter, invalidSyntax, invalidValue } from './scim.errors';

/** What a provider sends of a user. Everything else is ignored. */
export interface ScimChange {
  readonly active?: boolean;
  readonly externalId?: string | null;
}

export interface ScimDraft extends ScimChange {
  readonly userName: string;
  readonly name: string | null;
}

export interface ScimQuery {
  readonly filter: { readonly userId?: number; readonly email?: string; readonly externalId?: string };
  readonly startIndex: number;
  readonly count: number;
}

type Attributes = Readonly<Record<string, unknown>>;

const MAX_COUNT = 200;
const MAX_OPERATIONS = 100;
const MAX_EXTERNAL_ID = 255;
const MAX_NAME = 200;
const EMAIL = new RegExp(EMAIL_PATTERN);
const FILTER = /^\s*(?<name>userName|externalId|id)\s+eq\s+(?<value>"(?:[^"\\]|\\.){0,1000}")\s*$/i;
const INTEGER = /^-?\d{1,9}$/;

/** Names of attributes have no case. */
function attributesOf(body: unknown): ReadonlyMap<string, unknown> {
  if (!isRecord(body)) throw invalidSyntax('The body must be a JSON object.');
  return new Map(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Entra ID sends booleans as text. */
function booleanOf(value: unknown): boolean | undefined {
  if (value === undefined || value === null || typeof value === 'boolean') return value ?? undefined;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (text !== 'true' && text !== 'false') throw invalidValue('active must be true or false.');
  return text === 'true';
}

function externalIdOf(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return value;
  if (typeof value === 'string' && value !== '' && value.length <= MAX_EXTERNAL_ID) return value;
  throw invalidValue(`externalId must be a string of 1 to ${MAX_EXTERNAL_ID} characters.`);
}

function nameOf(attributes: ReadonlyMap<string, unknown>): string | null {
  const name = attributes.get('name');
  const { formatted, givenName, familyName } = isRecord(name) ? name : {};
  const parts = [givenName, familyName].filter((part) => typeof part === 'string').join(' ');
  const texts = [attributes.get('displayname'), formatted, parts].map((text) =>
    typeof text === 'string' ? text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim() : '',
  );
  return texts.find((text) => text !== '' && text.length <= MAX_NAME) ?? null;
}

const changeOf = (attributes: ReadonlyMap<string, unknown>): ScimChange => ({
  active: booleanOf(attributes.get('active')),
  externalId: externalIdOf(attributes.get('externalid')),
});

export function parseDraft(body: unknown): ScimDraft {
  const attributes = attributesOf(body);
  const userName = attributes.get('username');
  if (typeof userName !== 'string' || userName.length > MAX_EMAIL_LENGTH || !EMAIL.test(userName))
    throw invalidValue('userName must be an e-mail address, such as olga@example.com.');
  return { ...changeOf(attributes), userName, name: nameOf(attributes) };
}

/** Of a PUT, in which attributes may be left out. */
export const parseReplacement = (body: unknown): ScimChange => changeOf(attributesOf(body));

/** The operations of a PATCH, with a path or with an object as the value. Later ones win. */
export function parsePatch(body: unknown): ScimChange {
  const operations = attributesOf(body).get('operations');
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS)
    throw invalidSyntax(`Operations must be a list of 1 to ${MAX_OPERATIONS} operations.`);
  const changed = operations.flatMap((operation): [string, unknown][] => {
    const attributes = attributesOf(operation);
    const [op, path, value] = ['op', 'path', 'value'].map((name) => attributes.get(name));
    const verb = typeof op === 'string' ? op.toLowerCase() : '';
    if (!['add', 'replace', 'remove'].includes(verb)) throw invalidSyntax('op must be add, replace or remove.');
    if (typeof path === 'string') return [[path.toLowerCase(), verb === 'remove' ? null : value]];
    if (verb === 'remove') throw invalidSyntax('An operation that removes must have a path.');
    return [...attributesOf(value)];
  });
  return changeOf(new Map(changed));
}

function integerOf(name: string, text: unknown, fallback: number): number {
  if (text === undefined) return fallback;
  if (typeof text !== 'string' || !INTEGER.test(text)) throw invalidValue(`${name} must be a whole number.`);
  return Number(text);
}

export function parseQuery({ filter, startIndex, count }: Attributes): ScimQuery {
  return {
    filter: filter === undefined ? {} : parseFilter(filter),
    startIndex: Math.max(1, integerOf('startIndex', startIndex, 1)),
    count: Math.min(MAX_COUNT, Math.max(0, integerOf('count', count, 100))),
  };
}

function parseFilter(text: unknown): ScimQuery['filter'] {
  const { name = '', value = '' } = (typeof text === 'string' ? FILTER.exec(text) : null)?.groups ?? {};
  const given = textIn(value);
  if (given === undefined || given.includes('\0') || !given.isWellFormed()) throw invalidFilter();
  if (name.toLowerCase() === 'username') return { email: given };
  return name.toLowerCase() === 'id' ? { userId: parseId(given) } : { externalId: given };
}

function textIn(json: string): string | undefined {
  try {
    return JSON.parse(json) as string;
  } catch {
    return undefined;
  }
}
