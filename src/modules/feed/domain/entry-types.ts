import { SEVERITIES } from '../../../kernel/severity';
import { BELIEFS } from '../../findings/domain/belief';
import { VERIFICATION_RESULTS } from '../../findings/domain/verification';

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
const belief: Schema = { enum: BELIEFS };

const finding: Fields = {
  title: text,
  severity,
  status: integer,
  verification,
  labels: listOf(text),
  asset_id: orNull(integer),
};
const inEvent: Fields = { event_ids: listOf(integer) };

/** Entries from before an upgrade have no belief. */
const further: Fields = { belief, ...inEvent };

/** What an entry gets with its position: the state of its finding at that moment. */
const ofFinding: Fields = {
  title: text,
  severity,
  verification,
  labels: listOf(text),
  asset_id: orNull(integer),
  ...further,
};

interface Data {
  readonly data: Fields;
  /** Missing in some entries, for example because the finding was deleted meanwhile. */
  readonly optional?: Fields;
}

/** What the entries of a kind of record show, and which changes of it are entries. */
interface Kind extends Data {
  /** Missing if its records only have entries of further types. */
  readonly changed?: Fields;
  readonly isDeleted?: true;
  readonly further?: Readonly<Record<string, Data>>;
}

/** The entries of the triggers in migrations/1795780100000-write-feed.ts. A test compares both. */
export const KINDS: Readonly<Record<string, Kind>> = {
  finding: {
    data: finding,
    optional: further,
    changed: {
      severity,
      status: integer,
      score: orNull({ type: 'number' }),
      priority: integer,
      kev: flag,
      assignee_id: orNull(integer),
      labels: listOf(text),
      due_date: orNull(day),
      merged_into: orNull(integer),
      accepted_until: orNull(instant),
    },
    isDeleted: true,
    further: {
      verified: { data: finding, optional: further },
      commented: { data: { comment_id: integer }, optional: ofFinding },
      linked: { data: { event_id: integer }, optional: ofFinding },
    },
  },
  retest: {
    data: { finding_id: integer, status: text, result: orNull(text) },
    optional: ofFinding,
    changed: { status: text, result: orNull(text), second_look_result: orNull(text) },
  },
  job: {
    data: {
      ...inEvent,
      status: text,
      gate: { enum: ['passed', 'failed', 'incomplete', null] },
      asset_id: orNull(integer),
    },
    changed: { status: text },
  },
  import: { data: { ...inEvent, status: text }, changed: { status: text } },
  event: {
    data: { ...inEvent, name: text, slug: text, status: text },
    changed: {
      name: text,
      status: text,
      event_type: integer,
      event_category: integer,
      automatic: orNull(flag),
      windows: orNull(listOf(text)),
      start_date: instant,
      end_date: instant,
    },
    isDeleted: true,
    further: {
      scope_changed: { data: { ...inEvent, name: text, slug: text }, optional: { added: integer, removed: integer } },
    },
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
      observed: {
        data: { asset_id: integer, kind: text, address: orNull(text), port: orNull(integer), change_id: text },
      },
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
  audit_head: {
    data: {},
    further: { signed: { data: { head: { type: 'object' }, signature: { type: 'object' } } } },
  },
};

/** The data of each type of entry. */
const DATA: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(KINDS).flatMap(([kind, { data, optional, changed, isDeleted, further = {} }]) => [
    ...(changed === undefined
      ? []
      : [
          [`${kind}.created`, dataOf({ data, optional })] as const,
          [`${kind}.changed`, dataOf({ data: { ...data, changed: changesOf(changed) }, optional })] as const,
        ]),
    ...(isDeleted === undefined ? [] : [[`${kind}.deleted`, dataOf({ data, optional })] as const]),
    ...Object.entries(further).map(([name, fields]) => [`${kind}.${name}`, dataOf(fields)] as const),
  ]),
);

export const ENTRY_TYPES = Object.keys(DATA);

/** Only filters that name them have them: each hour has one. */
export const NAMED_TYPE = 'audit_head.signed';

/** The kinds of records that have entries. */
export const RECORD_KINDS = Object.keys(KINDS);

/** The types that a filter names: types, or kinds of records, which stand for all of their types. */
export const FILTERED_TYPES = [...RECORD_KINDS, ...ENTRY_TYPES];

export const typesNamed = (name: string): string[] =>
  ENTRY_TYPES.filter((type) => type === name || type.startsWith(`${name}.`));

function object(properties: Fields, required: readonly string[] = []): Schema {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

function dataOf({ data, optional = {} }: Data): Schema {
  return object({ ...data, ...optional }, Object.keys(data));
}

/** At least one of the fields, with both values. */
function changesOf(fields: Fields): Schema {
  const changes = Object.entries(fields).map(([name, schema]) => [
    name,
    dataOf({ data: { from: schema, to: schema } }),
  ]);
  return { ...object(Object.fromEntries(changes) as Fields), minProperties: 1 };
}

/** The JSON Schema of the entries of each type, by its name below /schemas. */
export const ENTRY_SCHEMAS: ReadonlyMap<string, Schema> = new Map(
  Object.entries(DATA).map(([type, data]) => {
    const properties: Fields = {
      position: integer,
      type: { const: type },
      version: { const: 1 },
      at: instant,
      record_id: text,
      data,
    };
    const name = `${type}.v1.json`;
    const head = { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: `/schemas/${name}`, title: type };
    return [name, { ...head, ...dataOf({ data: properties }) }];
  }),
);
