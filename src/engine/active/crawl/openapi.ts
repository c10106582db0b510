import { load } from 'js-yaml';
import { parseUrl } from '../../../kernel/parse-url';
import type { Page } from '../../page';
import { isRecord, type JsonRecord } from '../../protocols/http/json-record';
import { usualValue } from './form-values';
import type { FoundRequest } from './found-request';

/** `JSON.parse` takes a few milliseconds for so much. */
const LONGEST_JSON = 1_500_000;
/** YAML takes longer. */
const LONGEST_YAML = 200_000;
const MAX_OPERATIONS = 500;
const MAX_PARAMETERS = 40;

export const OPENAPI_PATHS = [
  '/openapi.json',
  '/swagger.json',
  '/v3/api-docs',
  '/v2/api-docs',
  '/api-docs',
  '/api/openapi.json',
  '/swagger/v1/swagger.json',
  '/openapi.yaml',
];

function read(text: string): unknown {
  try {
    const isJson = /^\ufeff?\s{0,100}\{/.test(text);
    if (isJson) return text.length > LONGEST_JSON ? null : JSON.parse(text.replace(/^\ufeff/, ''));
    return text.length > LONGEST_YAML || !/^(?:openapi|swagger):/m.test(text.slice(0, 2_000)) ? null : load(text);
  } catch {
    return null;
  }
}

/** The page as a document of OpenAPI 2 or 3. */
export function openapiIn({ status, text }: Page): JsonRecord | null {
  const isLikely = status === 200 && /["']?(?:openapi|swagger)["']?\s{0,5}:/.test(text.slice(0, 5_000));
  const document = isLikely ? read(text) : null;
  return isRecord(document) && /^[23]/.test(String(document['openapi'] ?? document['swagger'] ?? '')) ? document : null;
}

const textIn = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;

/** What a reference within the document leads to. */
function resolved(document: JsonRecord, value: unknown): JsonRecord {
  if (!isRecord(value)) return {};
  const reference = value['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return value;
  let found: unknown = document;
  for (const name of reference.slice(2).split('/'))
    found = isRecord(found) ? found[name.replaceAll('~1', '/').replaceAll('~0', '~')] : null;
  return isRecord(found) ? found : {};
}

const BY_TYPE: ReadonlyMap<string, string> = new Map([
  ['integer', '1'],
  ['number', '1'],
  ['boolean', 'true'],
]);
const BY_FORMAT: ReadonlyMap<string, string> = new Map([
  ['uuid', '7d444840-9dc0-11d1-b245-5ffdce74fad2'],
  ['date', '2024-01-15'],
  ['date-time', '2024-01-15T12:00:00Z'],
  ['email', 'visitor@example.com'],
]);

function valueOf(document: JsonRecord, parameter: JsonRecord): string {
  const schema = { ...parameter, ...resolved(document, parameter['schema']) };
  const items = resolved(document, schema['items']);
  const chosen = [schema['enum'], items['enum']].flatMap((one): unknown[] => (Array.isArray(one) ? one : []));
  const examples = isRecord(parameter['examples']) ? Object.values(parameter['examples']) : [];
  const stated = [
    parameter['example'],
    ...examples.map((one) => (isRecord(one) ? one['value'] : null)),
    schema['example'],
    schema['default'],
    ...chosen,
  ];
  const value = stated.map(textIn).find((one) => one !== null && one !== '');
  const type = textIn(schema['type']) ?? '';
  return (
    value ??
    BY_FORMAT.get(textIn(schema['format']) ?? '') ??
    BY_TYPE.get(type) ??
    usualValue(textIn(parameter['name']) ?? '', '')
  );
}

/** Where its paths begin. Servers elsewhere are none of this site. */
function baseOf(document: JsonRecord, url: string): URL | null {
  const { servers, basePath } = document;
  const server = Array.isArray(servers) ? resolved(document, servers[0])['url'] : basePath;
  return parseUrl((textIn(server) ?? '/').replace(/\{[^{}]{1,40}\}/g, '1'), url);
}

interface Operation {
  readonly base: URL;
  readonly path: string;
  readonly parameters: readonly JsonRecord[];
  readonly label: string;
}

function operationsOf(document: JsonRecord, base: URL): Operation[] {
  const paths = isRecord(document['paths']) ? Object.entries(document['paths']) : [];
  const listOf = (item: JsonRecord): unknown[] => (Array.isArray(item['parameters']) ? item['parameters'] : []);
  return paths.slice(0, MAX_OPERATIONS).flatMap(([path, given]) => {
    const item = resolved(document, given);
    if (!isRecord(item['get']) || !path.startsWith('/')) return [];
    const operation = item['get'];
    const all = [...listOf(item), ...listOf(operation)].map((one) => resolved(document, one));
    const parameters = [...new Map(all.map((one) => [`${one['in']} ${one['name']}`, one])).values()];
    return [
      { base, path, parameters: parameters.slice(0, MAX_PARAMETERS), label: textIn(operation['operationId']) ?? '' },
    ];
  });
}

/** The request of an operation with usual values, in which values of the path are points. */
function requestOf(document: JsonRecord, { base, path, parameters, label }: Operation): FoundRequest[] {
  const pairs = (place: string): (readonly [name: string, value: string])[] =>
    parameters.flatMap((one) => {
      const name = textIn(one['name']) ?? '';
      return one['in'] === place && name !== '' ? [[name, valueOf(document, one)] as const] : [];
    });
  const inPath = new Map(pairs('path'));
  const template = `${base.pathname.replace(/\/$/, '')}${path}`;
  const filled = template.replace(/\{([^{}]{1,100})\}/g, (_all, name: string) =>
    encodeURIComponent(inPath.get(name) ?? usualValue(name, '')),
  );
  const url = parseUrl(filled, base.origin);
  if (url === null) return [];
  url.search = new URLSearchParams(pairs('query').map(([name, value]) => [name, value])).toString();
  const segments = template.split('/').flatMap((segment, at) => (/^\{[^{}]+\}$/.test(segment) ? [at] : []));
  const cookies = pairs('cookie').map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  // Names and values of header fields have no line breaks.
  const own = pairs('header').filter(([name, value]) => /^[\w-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value));
  const headers = [...own, ...(cookies.length > 0 ? [['Cookie', cookies.join('; ')] as const] : [])];
  return [{ url, source: 'openapi', label, segments, ...(headers.length > 0 && { sent: { headers } }) }];
}

/** The operations that read. */
export function requestsOfOpenapi(document: JsonRecord, url: string): FoundRequest[] {
  const base = baseOf(document, url);
  return base === null ? [] : operationsOf(document, base).flatMap((one) => requestOf(document, one));
}
