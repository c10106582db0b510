import type { MigrationInterface, QueryRunner } from 'typeorm';
import { EVENTS_OF_FINDING, SEVERITY } from './1795780000000-add-feed';

/** How long writers of a table may wait because this waits for others. */
const LOCK_TIMEOUT = '2s';
const MOST_ATTEMPTS = 300;
const PAUSE_SECONDS = 2;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * The triggers that write changes to the feed, on busy tables: one statement after the other, each with its own short lock, and again
 * until it gets that. All may run again after an attempt that was interrupted.
 */
export class WriteFeed1795780100000 implements MigrationInterface {
  name = 'WriteFeed1795780100000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await runEachWhenFree(queryRunner, statements);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

/** Each statement gets its own short lock. */
export async function runEachWhenFree(queryRunner: QueryRunner, each: readonly string[]): Promise<void> {
  await queryRunner.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
  for (const statement of each) await runWhenFree(queryRunner, statement);
  await queryRunner.query('RESET lock_timeout');
}

async function runWhenFree(queryRunner: QueryRunner, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await queryRunner.query(statement);
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE || attempt === MOST_ATTEMPTS) throw error;
      await queryRunner.query(`SELECT pg_sleep(${PAUSE_SECONDS})`);
    }
  }
}

/** What the entries of a table show. Expressions are of its row `n`. */
interface Watched {
  readonly kind: string;
  readonly id?: string;
  /** Of the finding whose events, severity, verification, labels and asset the entry gets with its position. */
  readonly finding?: string;
  readonly data: Readonly<Record<string, string>>;
  /** The expressions whose changes are entries. Without any, rows of the table do not change. */
  readonly changes?: Readonly<Record<string, string>>;
  readonly created?: string;
  readonly isRemoved?: true;
}

const instant = (column: string): string => `to_char(n.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const instants = (...columns: string[]): Record<string, string> =>
  Object.fromEntries(columns.map((name) => [name, instant(name)]));
const inEvent = `CASE WHEN n.event_id IS NULL THEN '{}' ELSE ARRAY[n.event_id] END`;
const same = (...columns: string[]): Record<string, string> =>
  Object.fromEntries(columns.map((name) => [name, `n.${name}`]));

const ofFinding = { severity: SEVERITY, ...same('title', 'status', 'verification', 'labels', 'asset_id') };

const REPORT_STATUS = `CASE WHEN n.error IS NOT NULL THEN 'error' WHEN n.generation_date IS NULL THEN 'pending' ELSE 'finished' END`;

const WATCHED: Readonly<Record<string, Watched>> = {
  findings: {
    kind: 'finding',
    finding: 'n.id',
    data: ofFinding,
    changes: {
      severity: SEVERITY,
      ...same('status', 'score', 'priority', 'kev', 'assignee_id', 'labels', 'due_date', 'merged_into'),
      ...instants('accepted_until'),
    },
  },
  retests: {
    kind: 'retest',
    id: 'n.uuid',
    finding: 'n.finding_id',
    data: same('finding_id', 'status', 'result'),
    changes: same('status', 'result', 'second_look_result'),
  },
  jobs: {
    kind: 'job',
    id: 'n.uuid',
    data: { ...same('status', 'gate', 'asset_id'), event_ids: inEvent },
    changes: same('status'),
  },
  imports: {
    kind: 'import',
    data: { ...same('status'), event_ids: inEvent },
    changes: same('status'),
  },
  events: {
    kind: 'event',
    data: { ...same('name', 'slug', 'status'), event_ids: 'ARRAY[n.id]' },
    changes: {
      ...same('name', 'status', 'event_type', 'event_category', 'automatic', 'windows'),
      ...instants('start_date', 'end_date'),
    },
    isRemoved: true,
  },
  assets: {
    kind: 'asset',
    data: { ...same('value', 'type', 'tier', 'labels'), asset_id: 'n.id' },
    changes: same('type', 'tier', 'labels', 'observe', 'ip', 'services', 'ports', 'purl', 'cpe'),
    isRemoved: true,
  },
  asset_changes: {
    kind: 'asset',
    id: 'n.asset_id',
    created: 'observed',
    data: { ...same('asset_id', 'kind', 'address', 'port'), change_id: 'n.id' },
  },
  domains: {
    kind: 'domain',
    data: same('value', 'verified'),
    changes: same('verified'),
    isRemoved: true,
  },
  beacons: {
    kind: 'beacon',
    data: same('name', 'status'),
    changes: same('name', 'status', 'allowed_cidrs', 'dns_server', 'interface_name', 'agent_version'),
    isRemoved: true,
  },
  beacon_discoveries: {
    kind: 'discovery',
    id: 'n.uuid',
    data: same('beacon_id', 'status'),
    changes: same('status'),
  },
  reports: {
    kind: 'report',
    data: { status: REPORT_STATUS, ...same('job_uuid'), event_ids: inEvent },
    changes: { status: REPORT_STATUS },
    isRemoved: true,
  },
};

const object = (fields: Readonly<Record<string, string>>): string =>
  `jsonb_build_object(${Object.entries(fields)
    .flatMap(([name, value]) => [`'${name}'`, value])
    .join(', ')})`;

const of = (row: string, expression: string): string => expression.replace(/\bn\./g, `${row}.`);

const insertion = (type: string, { id = 'n.id', finding = 'NULL::int' }: Watched, data: string): string =>
  `INSERT INTO feed_outbox (organization_id, type, version, record_id, finding_id, data)
   SELECT n.organization_id, '${type}', 1, ${id}::text, ${finding}, ${data}`;

/** Runs as the owner, because the service gets its rights on the new tables only after the migration. */
const triggerFunction = (name: string, body: string, variables = '', result = 'NULL'): string =>
  `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
   ${variables}
   BEGIN
     ${body};
     RETURN ${result};
   END $$`;

const addedTrigger = (table: string, watched: Watched): string[] => [
  triggerFunction(
    `feed_${table}_added`,
    `${insertion(`${watched.kind}.${watched.created ?? 'created'}`, watched, object(watched.data))} FROM added n`,
  ),
  `CREATE OR REPLACE TRIGGER tr_${table}_feed_added AFTER INSERT ON ${table}
   REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION feed_${table}_added()`,
];

/**
 * For each row, and only if something has changed that is shown: a trigger for each statement would have to join the rows before
 * and after it, which takes seconds for thousands, and it could not skip the statements that change nothing of interest.
 */
const changedTrigger = (table: string, { changes, ...watched }: Watched): string[] => {
  if (changes === undefined) return [];
  const entries = Object.entries(changes);
  const changed = entries.map(
    ([name, value]) => `CASE WHEN ${value} IS DISTINCT FROM ${of('o', value)}
      THEN ${object({ [name]: object({ from: of('o', value), to: value }) })} ELSE '{}' END`,
  );
  const condition = entries.map(([, value]) => `${of('NEW', value)} IS DISTINCT FROM ${of('OLD', value)}`).join(' OR ');
  const data = `${object(watched.data)} || jsonb_build_object('changed', ${changed.join(' || ')})`;
  return [
    triggerFunction(
      `feed_${table}_changed`,
      insertion(`${watched.kind}.changed`, watched, data),
      'DECLARE n record := NEW; o record := OLD;',
    ),
    `CREATE OR REPLACE TRIGGER tr_${table}_feed_changed AFTER UPDATE ON ${table} FOR EACH ROW
     WHEN (${condition}) EXECUTE FUNCTION feed_${table}_changed()`,
  ];
};

/** The purge of a deleted organization is no change for anybody. */
const removedTrigger = (table: string, { isRemoved, ...watched }: Watched): string[] =>
  isRemoved === undefined
    ? []
    : [
        triggerFunction(
          `feed_${table}_removed`,
          `${insertion(`${watched.kind}.deleted`, watched, object(watched.data))} FROM removed n
           JOIN organizations ON organizations.id = n.organization_id AND deleted_at IS NULL`,
        ),
        `CREATE OR REPLACE TRIGGER tr_${table}_feed_removed AFTER DELETE ON ${table}
         REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION feed_${table}_removed()`,
      ];

const rowTrigger = (name: string, on: string, condition: string, body: string): string[] => [
  triggerFunction(`feed_${name}`, body, 'DECLARE n record := NEW;'),
  `CREATE OR REPLACE TRIGGER tr_${name}_feed AFTER ${on} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION feed_${name}()`,
];

/** A scope may have a million assets: one entry for each statement. */
const scopeTrigger = (operation: 'INSERT' | 'DELETE', rows: string, count: string): string[] => [
  triggerFunction(
    `feed_event_scope_${count}`,
    `INSERT INTO feed_outbox (organization_id, type, version, record_id, data)
     SELECT n.organization_id, 'event.scope_changed', 1, n.event_id::text,
       jsonb_build_object('event_ids', ARRAY[n.event_id], 'name', e.name, 'slug', e.slug, '${count}', count(*))
     FROM ${rows} n JOIN events e ON e.id = n.event_id AND e.organization_id = n.organization_id
     JOIN organizations ON organizations.id = n.organization_id AND deleted_at IS NULL
     GROUP BY n.organization_id, n.event_id, e.name, e.slug`,
  ),
  `CREATE OR REPLACE TRIGGER tr_event_scope_feed_${count} AFTER ${operation} ON event_scope
   REFERENCING ${operation === 'INSERT' ? 'NEW' : 'OLD'} TABLE AS ${rows}
   FOR EACH STATEMENT EXECUTE FUNCTION feed_event_scope_${count}()`,
];

/** Before the deletion, which also deletes the links to the events. */
const removedFindingTrigger = [
  triggerFunction(
    'feed_findings_removed',
    `INSERT INTO feed_outbox (organization_id, type, version, record_id, data)
     SELECT n.organization_id, 'finding.deleted', 1, n.id::text, ${object({ ...ofFinding, event_ids: EVENTS_OF_FINDING })}
     FROM organizations o WHERE o.id = n.organization_id AND o.deleted_at IS NULL`,
    'DECLARE n record := OLD;',
    'OLD',
  ),
  `CREATE OR REPLACE TRIGGER tr_findings_feed_removed BEFORE DELETE ON findings
   FOR EACH ROW EXECUTE FUNCTION feed_findings_removed()`,
];

/** With a further event. The entry of a finding that is recorded in an event names it. */
const linkedFindingTrigger = [
  triggerFunction(
    'feed_event_findings_added',
    `INSERT INTO feed_outbox (organization_id, type, version, record_id, finding_id, data)
     SELECT n.organization_id, 'finding.linked', 1, n.finding_id::text, n.finding_id, ${object(same('event_id'))}
     FROM added n JOIN findings f ON f.id = n.finding_id AND f.organization_id = n.organization_id
       AND f.event_id IS DISTINCT FROM n.event_id`,
  ),
  `CREATE OR REPLACE TRIGGER tr_event_findings_feed_added AFTER INSERT ON event_findings
   REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION feed_event_findings_added()`,
];

const statements = [
  ...Object.entries(WATCHED).flatMap(([table, watched]) => [
    ...addedTrigger(table, watched),
    ...changedTrigger(table, watched),
    ...removedTrigger(table, watched),
  ]),
  ...removedFindingTrigger,
  ...linkedFindingTrigger,
  ...scopeTrigger('INSERT', 'added', 'added'),
  ...scopeTrigger('DELETE', 'removed', 'removed'),
  ...rowTrigger(
    'findings_verified',
    'UPDATE ON findings',
    'NEW.verification <> OLD.verification OR NEW.verified_at IS DISTINCT FROM OLD.verified_at',
    insertion('finding.verified', { kind: 'finding', finding: 'n.id', data: {} }, object(ofFinding)),
  ),
  ...rowTrigger(
    'finding_comments',
    'INSERT ON finding_history',
    'NEW.is_comment',
    insertion(
      'finding.commented',
      { kind: 'finding', id: 'n.finding_id', finding: 'n.finding_id', data: {} },
      object({ comment_id: 'n.id' }),
    ),
  ),
];
