import type { SentRequest } from '../../sent-request';
import { mayChange } from '../../may-change';
import type { Page } from '../../page';
import { isRecord, type JsonRecord } from '../../../kernel/is-record';
import { recordIn } from '../../json-record';

const TYPE = 'kind name ofType{kind name ofType{kind name ofType{kind name}}}';
const INTROSPECTION = `{__schema{queryType{name} types{kind name fields{name args{name type{${TYPE}}} type{${TYPE}}}}}}`;
const HEADERS = [
  ['Accept', 'application/json'],
  ['Content-Type', 'application/json'],
] as const;
const LONGEST_SCHEMA = 1_500_000;
const MAX_FIELDS = 100;
/** Per query. A schema can contain tens of thousands. */
const MAX_ARGUMENTS = 40;
const MAX_SELECTED = 12;
/** The introspection query asks for four levels. */
const DEEPEST_TYPE = 8;

const requestFor = (path: string, query: string, variables?: JsonRecord): SentRequest => ({
  method: 'POST',
  path,
  headers: HEADERS,
  body: JSON.stringify(variables === undefined ? { query } : { query, variables }),
});

/** Requests the schema, which changes nothing. */
export const introspectionOf = (path: string): SentRequest => requestFor(path, INTROSPECTION);

const listIn = (value: unknown): JsonRecord[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const nameOf = (value: JsonRecord): string => {
  const { name } = value;
  return typeof name === 'string' && /^[_A-Za-z]\w{0,100}$/.test(name) ? name : '';
};

/** The type in GraphQL syntax, and the type inside its wrappers. */
interface GraphqlType {
  readonly text: string;
  readonly kind: string;
  readonly name: string;
  readonly isList: boolean;
}

type Selection = (type: GraphqlType) => string;

function typeIn(value: unknown, depth = 0): GraphqlType {
  if (!isRecord(value) || depth > DEEPEST_TYPE) return { text: '', kind: '', name: '', isList: false };
  const inner = isRecord(value['ofType']) ? typeIn(value['ofType'], depth + 1) : null;
  if (value['kind'] === 'NON_NULL' && inner !== null) return { ...inner, text: `${inner.text}!` };
  if (value['kind'] === 'LIST' && inner !== null) return { ...inner, text: `[${inner.text}]`, isList: true };
  return { text: nameOf(value), kind: String(value['kind']), name: nameOf(value), isList: false };
}

const isLeaf = (kind: string): boolean => kind === 'SCALAR' || kind === 'ENUM';

/** Values of the usual scalars. The formats of others are unknown. */
const SCALARS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['String', 'test'],
  ['ID', '1'],
  ['Int', 1],
  ['Float', 1],
  ['Boolean', true],
]);

/** The fields of a response that show values. Fields with arguments are left out. */
function selectionOf(type: JsonRecord | undefined): string {
  const fields = listIn(type?.['fields']).filter(
    (field) => listIn(field['args']).length === 0 && isLeaf(typeIn(field['type']).kind),
  );
  return `{__typename ${fields.slice(0, MAX_SELECTED).map(nameOf).join(' ')}}`;
}

/** Each type is processed once, because many queries can return the same large type. */
function selectionsOf(types: ReadonlyMap<string, JsonRecord>): Selection {
  const known = new Map<string, string>();
  return ({ kind, name }) => {
    if (isLeaf(kind)) return '';
    const selection = known.get(name) ?? selectionOf(types.get(name));
    known.set(name, selection);
    return selection;
  };
}

function queryOf(path: string, field: JsonRecord, selection: Selection): SentRequest[] {
  const name = nameOf(field);
  const stated = listIn(field['args']);
  if (stated.length > MAX_ARGUMENTS) return [];
  const args = stated.map((arg) => ({ name: nameOf(arg), type: typeIn(arg['type']) }));
  const isUsable = ({ type }: (typeof args)[number]): boolean => !type.isList && SCALARS.has(type.name);
  const used = args.filter(isUsable);
  const isMissing = args.some((arg) => arg.type.text.endsWith('!') && !isUsable(arg));
  // An action that is declared as a query is still an action.
  if (name === '' || used.length === 0 || isMissing || mayChange('', '', { name })) return [];
  // Contains the name of the field, because the name of a variable identifies its point.
  const variable = (arg: { readonly name: string }): string => `${name}_${arg.name}`;
  const declared = used.map((arg) => `$${variable(arg)}:${arg.type.text}`).join(',');
  const given = used.map((arg) => `${arg.name}:$${variable(arg)}`).join(',');
  const query = `query(${declared}){${name}(${given})${selection(typeIn(field['type']))}}`;
  const variables = Object.fromEntries(used.map((arg) => [variable(arg), SCALARS.get(arg.type.name)]));
  return [{ ...requestFor(path, query, variables), name: `${path} ${name}` }];
}

/** Makes a request for each query with arguments, from the response to the introspection. */
export function queriesIn({ status, text }: Page, path: string): SentRequest[] {
  const data = status === 200 ? recordIn(text, LONGEST_SCHEMA)?.['data'] : null;
  const schema = isRecord(data) && isRecord(data['__schema']) ? data['__schema'] : {};
  const types = new Map(listIn(schema['types']).map((type) => [nameOf(type), type]));
  const root = isRecord(schema['queryType']) ? types.get(nameOf(schema['queryType'])) : undefined;
  const selection = selectionsOf(types);
  return listIn(root?.['fields'])
    .slice(0, MAX_FIELDS)
    .flatMap((field) => queryOf(path, field, selection));
}
