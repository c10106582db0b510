import { isRecord, type JsonRecord } from '../../../kernel/is-record';
import { usualValue } from './form-values';

/** References and anchors can repeat a text in all operations. */
export const LONGEST_TEXT = 1_000;
const DEEPEST_REFERENCE = 10;
const MAX_PARAMETERS = 40;

export function textIn(value: unknown): string | null {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isText && String(value).length <= LONGEST_TEXT ? String(value) : null;
}

export const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MAX_PARAMETERS) : []);

/** Also looks into records that `<<` merges. Copies nothing, because many places may refer to one large record. */
export function fieldOf(record: JsonRecord, name: string): unknown {
  if (Object.hasOwn(record, name)) return record[name];
  const merged = record['<<'];
  return (isRecord(merged) ? [merged] : listIn(merged)).filter(isRecord).find((one) => Object.hasOwn(one, name))?.[
    name
  ];
}

/** Resolves a reference within the document. */
export function resolved(document: JsonRecord, value: unknown): JsonRecord {
  if (!isRecord(value)) return {};
  const reference = value['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return value;
  if (reference.length > LONGEST_TEXT) return {};
  const names = reference.slice(2).split('/', DEEPEST_REFERENCE + 1);
  if (names.length > DEEPEST_REFERENCE) return {};
  let found: unknown = document;
  for (const name of names) found = isRecord(found) ? found[name.replaceAll('~1', '/').replaceAll('~0', '~')] : null;
  return isRecord(found) ? found : {};
}

const VALUES: ReadonlyMap<string, string> = new Map([
  ['integer', '1'],
  ['number', '1'],
  ['boolean', 'true'],
  ['uuid', '7d444840-9dc0-11d1-b245-5ffdce74fad2'],
  ['date', '2024-01-15'],
  ['date-time', '2024-01-15T12:00:00Z'],
]);

export function valueOf(document: JsonRecord, parameter: JsonRecord): string {
  const schema = resolved(document, fieldOf(parameter, 'schema'));
  const of = (name: string): unknown => fieldOf(schema, name) ?? fieldOf(parameter, name);
  const stated = [fieldOf(parameter, 'example'), of('example'), of('default'), listIn(of('enum'))[0]];
  const value = stated.map(textIn).find((one) => one !== null && one !== '');
  const usual = [of('format'), of('type')].map((kind) => VALUES.get(textIn(kind) ?? ''));
  return value ?? usual[0] ?? usual[1] ?? usualValue(textIn(fieldOf(parameter, 'name')) ?? '', '');
}
