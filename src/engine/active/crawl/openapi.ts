import { load } from 'js-yaml';
import { parseUrl } from '../../../kernel/parse-url';
import type { Described } from '../../may-change';
import type { Page } from '../../page';
import { isRecord, type JsonRecord } from '../../../kernel/is-record';
import { usualValue } from './form-values';
import { bodyOf } from './openapi-body';
import { fieldOf, listIn, LONGEST_TEXT, resolved, textIn, valueOf } from './openapi-fields';
import type { FoundRequest } from './found-request';

/** `JSON.parse` takes a few milliseconds for this length. */
const LONGEST_JSON = 1_500_000;
/** YAML takes longer. The time depends on the number of these characters more than on the length. */
const LONGEST_YAML = 200_000;
const YAML_MARKS = /[[{,:\n]/;
const MOST_MARKS = 20_000;
const MAX_OPERATIONS = 500;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

function read(text: string): unknown {
  try {
    const isJson = /^\ufeff?\s{0,100}\{/.test(text);
    if (isJson) return text.length > LONGEST_JSON ? null : JSON.parse(text.replace(/^\ufeff/, ''));
    if (text.length > LONGEST_YAML || !/^(?:openapi|swagger):/m.test(text.slice(0, 2_000))) return null;
    return text.split(YAML_MARKS, MOST_MARKS + 1).length > MOST_MARKS ? null : load(text);
  } catch {
    return null;
  }
}

/** Parses the page as an OpenAPI 2 or 3 document, or returns null. */
export function openapiIn({ status, text }: Page): JsonRecord | null {
  const isLikely = status === 200 && /["']?(?:openapi|swagger)["']?\s{0,5}:/.test(text.slice(0, 5_000));
  const document = isLikely ? read(text) : null;
  return isRecord(document) && /^[23]/.test(textIn(document['openapi'] ?? document['swagger']) ?? '') ? document : null;
}

/** The base of its paths: the server on this origin; otherwise its first server, of which only the path is used. */
function baseOf({ servers, basePath }: JsonRecord, url: string): URL | null {
  const stated = listIn(servers).map((server) => (isRecord(server) ? server['url'] : null));
  const bases = (stated.length > 0 ? stated : [basePath]).flatMap(
    (one) => parseUrl((textIn(one) ?? '/').replace(/\{[^{}]{1,40}\}/g, '1'), url) ?? [],
  );
  const { origin } = new URL(url);
  return bases.find((base) => base.origin === origin) ?? bases[0] ?? null;
}

/** The first server of a document that names none on this origin; null for other documents. */
export function foreignServerIn(document: JsonRecord, url: string): string | null {
  const base = baseOf(document, url);
  return base === null || base.origin === new URL(url).origin ? null : base.origin;
}

/** The length of a request with its values. Longer ones are not sent. */
const LONGEST_REQUEST = 4_000;

/** The request of an operation with usual values. Values in the path become points. */
function requestOf(
  document: JsonRecord,
  { base, origin, path }: { readonly base: URL; readonly origin: string; readonly path: string },
  parameters: readonly JsonRecord[],
): FoundRequest[] {
  const stated = parameters.map((one) => ({
    place: fieldOf(one, 'in'),
    pair: [textIn(fieldOf(one, 'name')) ?? '', valueOf(document, one)] as const,
  }));
  const valuesIn = (place: string): ReadonlyMap<string, string> =>
    new Map(stated.filter((one) => one.place === place).map(({ pair }) => pair));
  const inPath = valuesIn('path');
  const template = `${base.pathname.replace(/\/$/, '')}${path}`;
  const lengths = stated.map(({ pair: [name, value] }) => name.length + value.length);
  // The template may contain a value many times.
  const inTemplate = template.split('{').length * Math.max(0, ...[...inPath.values()].map(({ length }) => length));
  if (lengths.reduce((sum, length) => sum + length, template.length + inTemplate) > LONGEST_REQUEST) return [];
  const filled = template.replace(/\{([^{}]{1,100})\}/g, (_all, name: string) =>
    encodeURIComponent(inPath.get(name) ?? usualValue(name, '')),
  );
  const url = parseUrl(filled, origin);
  if (url === null) return [];
  url.search = new URLSearchParams([...valuesIn('query')]).toString();
  const segments = template.split('/').flatMap((segment, at) => (/^\{[^{}]+\}$/.test(segment) ? [at] : []));
  const cookies = [...valuesIn('cookie')].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ');
  // Header fields must not contain line breaks.
  const headers = [...valuesIn('header'), ['Cookie', cookies] as const].filter(
    ([name, value]) => /^[\w-]+$/.test(name) && /^[\x20-\x7e]+$/.test(value),
  );
  return [{ url, source: 'openapi', segments, ...(headers.length > 0 && { sent: { headers } }) }];
}

function descriptionOf(item: JsonRecord, operation: JsonRecord): Described {
  const texts = [
    ...[item, operation].flatMap((record) => [fieldOf(record, 'summary'), fieldOf(record, 'description')]),
    ...listIn(fieldOf(operation, 'tags')),
  ].flatMap((text) => (typeof text === 'string' ? text.slice(0, LONGEST_TEXT) : []));
  return { name: textIn(fieldOf(operation, 'operationId')) ?? '', texts };
}

/** Yields the GET operations one by one, because all of them may take long. For other operations it only yields the methods. */
export function* requestsOfOpenapi(document: JsonRecord, url: string): Generator<FoundRequest> {
  const base = baseOf(document, url);
  const paths = isRecord(document['paths']) ? Object.entries(document['paths']) : [];
  if (base === null) return;
  const { origin } = new URL(url);
  for (const [path, given] of paths.slice(0, MAX_OPERATIONS)) {
    const item = resolved(document, given);
    if (!path.startsWith('/') || path.length > LONGEST_TEXT) continue;
    for (const method of METHODS) {
      const operation = fieldOf(item, method);
      if (!isRecord(operation)) continue;
      const stated = [...listIn(fieldOf(item, 'parameters')), ...listIn(fieldOf(operation, 'parameters'))];
      const parameters = method === 'get' ? stated.map((one) => resolved(document, one)) : [];
      const described = descriptionOf(item, operation);
      const body = method === 'post' ? bodyOf(document, operation, stated) : {};
      for (const request of requestOf(document, { base, origin, path }, parameters))
        yield { ...request, described, ...(method !== 'get' && { sent: { method: method.toUpperCase(), ...body } }) };
    }
  }
}
