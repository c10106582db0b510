import { SEVERITIES } from '../../../kernel/severity';
import { VERIFICATION_RESULTS } from '../../findings';

type Schema = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, Schema>>;

const integer: Schema = { type: 'integer' };
const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const severity: Schema = { enum: SEVERITIES };
const instant: Schema = { type: 'string', format: 'date-time' };
const day: Schema = { type: 'string', format: 'date' };
const listOf = (items: Schema): Schema => ({ type: 'array', items });
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });

const verification: Schema = { enum: VERIFICATION_RESULTS };

const ofFinding: Fields = {
  severity,
  verification,
  labels: listOf(text),
  asset_id: orNull(integer),
  event_ids: listOf(integer),
};
const inEvent: Fields = { event_ids: listOf(integer) };

/** What the entries of a kind of record show, and which changes of it are entries. */
interface Kind {
  readonly data: Fields;
  readonly changed: Fields;
  readonly isDeleted?: true;
  readonly further?: Readonly<Record<string, Fields>>;
}

/** The entries of the triggers in migrations/1795780000000-add-feed.ts. A test compares both. */
const KINDS: Readonly<Record<string, Kind>> = {
  finding: {
    data: { ...ofFinding, status: integer },
    changed: {
      severity,
      status: integer,
      assignee_id: orNull(integer),
      labels: listOf(text),
      due_date: orNull(day),
      merged_into: orNull(integer),
      accepted_until: orNull(instant),
    },
    isDeleted: true,
    further: {
      verified: { ...ofFinding, status: integer },
      commented: { ...ofFinding, comment_id: integer },
    },
  },
  retest: {
    data: { ...ofFinding, finding_id: integer, status: text, result: orNull(text) },
    changed: { status: text, result: orNull(text), second_look_result: orNull(text) },
  },
  job: {
    data: { ...inEvent, status: text, asset_id: orNull(integer) },
    changed: { status: text },
  },
  import: { data: { ...inEvent, status: text }, changed: { status: text } },
  event: {
    data: { ...inEvent, name: text, status: text },
    changed: {
      name: text,
      status: text,
      event_type: integer,
      event_category: integer,
      start_date: instant,
      end_date: instant,
    },
    isDeleted: true,
    further: { scope_changed: { ...inEvent, added: integer, removed: integer } },
  },
  asset: {
    data: { value: text, type: text, tier: orNull(integer), labels: listOf(text), asset_id: integer },
    changed: {
      type: text,
      tier: orNull(integer),
      labels: listOf(text),
      observe: flag,
      ip: orNull(text),
      services: orNull(listOf(text)),
      ports: orNull(listOf(integer)),
      purl: orNull(text),
      cpe: orNull(text),
    },
    isDeleted: true,
    further: {
      observed: { asset_id: integer, kind: text, address: orNull(text), port: orNull(integer), change_id: text },
    },
  },
  domain: { data: { value: text, verified: flag }, changed: { verified: flag }, isDeleted: true },
  beacon: {
    data: { name: text, status: integer },
    changed: {
      name: text,
      status: integer,
      allowed_cidrs: listOf(text),
      dns_server: orNull(text),
      interface_name: orNull(text),
      agent_version: orNull(text),
    },
    isDeleted: true,
  },
  discovery: { data: { beacon_id: integer, status: text }, changed: { status: text } },
  report: {
    data: { ...inEvent, status: { enum: ['pending', 'finished', 'error'] }, job_uuid: orNull(text) },
    changed: { status: text },
    isDeleted: true,
  },
};

/** The data of each type of entry. */
const DATA: Readonly<Record<string, Fields>> = Object.fromEntries(
  Object.entries(KINDS).flatMap(([kind, { data, changed, isDeleted, further = {} }]) => [
    [`${kind}.created`, data] as const,
    [`${kind}.changed`, { ...data, changed: object(changesOf(changed)) }] as const,
    ...(isDeleted === undefined ? [] : [[`${kind}.deleted`, data] as const]),
    ...Object.entries(further).map(([name, fields]) => [`${kind}.${name}`, fields] as const),
  ]),
);

export const ENTRY_TYPES = Object.keys(DATA);

/** The types that a filter names: types, or kinds of records, which stand for all of their types. */
export const FILTERED_TYPES = [...Object.keys(KINDS), ...ENTRY_TYPES];

export const typesNamed = (name: string): string[] =>
  ENTRY_TYPES.filter((type) => type === name || type.startsWith(`${name}.`));

function object(properties: Fields, required: readonly string[] = []): Schema {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

function changesOf(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, object({ from: schema, to: schema }, ['from', 'to'])]),
  );
}

/** The JSON Schema of the entries of each type, by its name below /schemas. */
export const ENTRY_SCHEMAS: ReadonlyMap<string, Schema> = new Map(
  Object.entries(DATA).map(([type, fields]) => {
    const properties: Fields = {
      position: integer,
      type: { const: type },
      version: { const: 1 },
      at: instant,
      record_id: text,
      data: object(fields),
    };
    const schema = object(properties, Object.keys(properties));
    return [`${type}.v1.json`, { $schema: 'https://json-schema.org/draft/2020-12/schema', title: type, ...schema }];
  }),
);
