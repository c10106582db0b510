import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The feed of each organization: what changed, in order. Triggers write each change to feed_outbox in its transaction, so that no
 * writer can forget it. feed_append() gives the committed ones their positions. docs/adr/0086 has the reasons.
 */
export class AddFeed1795780000000 implements MigrationInterface {
  name = 'AddFeed1795780000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
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
const SEVERITY = `('{none,info,low,medium,high,critical,cosmic}'::text[])[n.severity + 1]`;
const inEvent = `CASE WHEN n.event_id IS NULL THEN '{}' ELSE ARRAY[n.event_id] END`;
const same = (...columns: string[]): Record<string, string> =>
  Object.fromEntries(columns.map((name) => [name, `n.${name}`]));

const REPORT_STATUS = `CASE WHEN n.error IS NOT NULL THEN 'error' WHEN n.generation_date IS NULL THEN 'pending' ELSE 'finished' END`;

const WATCHED: Readonly<Record<string, Watched>> = {
  findings: {
    kind: 'finding',
    finding: 'n.id',
    data: { severity: SEVERITY, ...same('status', 'verification', 'labels', 'asset_id') },
    changes: {
      severity: SEVERITY,
      ...same('status', 'assignee_id', 'labels', 'due_date', 'merged_into'),
      ...instants('accepted_until'),
    },
    isRemoved: true,
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
    data: { ...same('status', 'asset_id'), event_ids: inEvent },
    changes: same('status'),
  },
  imports: {
    kind: 'import',
    data: { ...same('status'), event_ids: inEvent },
    changes: same('status'),
  },
  events: {
    kind: 'event',
    data: { ...same('name', 'status'), event_ids: 'ARRAY[n.id]' },
    changes: { ...same('name', 'status', 'event_type', 'event_category'), ...instants('start_date', 'end_date') },
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
const triggerFunction = (name: string, body: string, variables = ''): string =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
   ${variables}
   BEGIN
     ${body};
     RETURN NULL;
   END $$`;

const addedTrigger = (table: string, watched: Watched): string[] => [
  triggerFunction(
    `feed_${table}_added`,
    `${insertion(`${watched.kind}.${watched.created ?? 'created'}`, watched, object(watched.data))} FROM added n`,
  ),
  `CREATE TRIGGER tr_${table}_feed_added AFTER INSERT ON ${table}
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
    `CREATE TRIGGER tr_${table}_feed_changed AFTER UPDATE ON ${table} FOR EACH ROW
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
        `CREATE TRIGGER tr_${table}_feed_removed AFTER DELETE ON ${table}
         REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION feed_${table}_removed()`,
      ];

const rowTrigger = (name: string, on: string, condition: string, body: string): string[] => [
  triggerFunction(`feed_${name}`, body, 'DECLARE n record := NEW;'),
  `CREATE TRIGGER tr_${name}_feed AFTER ${on} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION feed_${name}()`,
];

/** A scope may have a million assets: one entry for each statement. */
const scopeTrigger = (operation: 'INSERT' | 'DELETE', rows: string, count: string): string[] => [
  triggerFunction(
    `feed_event_scope_${count}`,
    `INSERT INTO feed_outbox (organization_id, type, version, record_id, data)
     SELECT n.organization_id, 'event.scope_changed', 1, n.event_id::text,
       jsonb_build_object('event_ids', ARRAY[n.event_id], '${count}', count(*))
     FROM ${rows} n JOIN events e ON e.id = n.event_id AND e.organization_id = n.organization_id
     JOIN organizations ON organizations.id = n.organization_id AND deleted_at IS NULL
     GROUP BY n.organization_id, n.event_id`,
  ),
  `CREATE TRIGGER tr_event_scope_feed_${count} AFTER ${operation} ON event_scope
   REFERENCING ${operation === 'INSERT' ? 'NEW' : 'OLD'} TABLE AS ${rows}
   FOR EACH STATEMENT EXECUTE FUNCTION feed_event_scope_${count}()`,
];

const ofOrganization = (table: string): string =>
  `CONSTRAINT fk_${table}_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE`;

const statements = [
  `CREATE TABLE feed_outbox (
     id               bigint GENERATED BY DEFAULT AS IDENTITY,
     organization_id  int NOT NULL,
     type             text NOT NULL,
     version          int NOT NULL,
     record_id        text NOT NULL,
     finding_id       int,
     at               timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
     data             jsonb NOT NULL,
     CONSTRAINT pk_feed_outbox PRIMARY KEY (id, organization_id),
     ${ofOrganization('feed_outbox')}
   )`,
  `CREATE INDEX ix_feed_outbox_organization ON feed_outbox (organization_id, id)`,

  // oldest, newest: the positions that are kept. None, if oldest is above newest.
  `CREATE TABLE feed_positions (
     organization_id  int NOT NULL,
     oldest           bigint NOT NULL DEFAULT 1,
     newest           bigint NOT NULL DEFAULT 0,
     appended         timestamptz(3) NOT NULL DEFAULT '-infinity',
     CONSTRAINT pk_feed_positions PRIMARY KEY (organization_id),
     ${ofOrganization('feed_positions')}
   )`,

  // A partition for each week of appended, which grows with the position. Rows of a week without one are in the default partition.
  `CREATE TABLE feed_entries (
     organization_id  int NOT NULL,
     position         bigint NOT NULL,
     appended         timestamptz(3) NOT NULL,
     type             text NOT NULL,
     version          int NOT NULL,
     record_id        text NOT NULL,
     at               timestamptz(3) NOT NULL,
     data             jsonb NOT NULL,
     CONSTRAINT pk_feed_entries PRIMARY KEY (organization_id, position, appended),
     ${ofOrganization('feed_entries')}
   ) PARTITION BY RANGE (appended)`,
  `CREATE TABLE feed_entries_other PARTITION OF feed_entries DEFAULT`,

  // Appends what is committed, in the order of id, and returns the kept positions. Each statement of it sees what was committed
  // before it, so one that runs after the lock sees all that an earlier call has moved. A change that commits late is appended
  // late. Two changes of a record have ids in their order, because the second one waits for the lock of the row.
  `CREATE FUNCTION feed_append(organization int, OUT oldest bigint, OUT newest bigint) LANGUAGE plpgsql
   SECURITY DEFINER SET search_path = public AS $$
   DECLARE
     moment    timestamptz(3);
     count     int;
   BEGIN
     SELECT p.oldest, p.newest INTO oldest, newest FROM feed_positions p WHERE p.organization_id = organization;
     oldest := coalesce(oldest, 1);
     newest := coalesce(newest, 0);
     IF NOT EXISTS (SELECT 1 FROM feed_outbox b WHERE b.organization_id = organization) THEN RETURN; END IF;
     IF NOT EXISTS (SELECT 1 FROM organizations o WHERE o.id = organization AND o.deleted_at IS NULL) THEN
       DELETE FROM feed_outbox b WHERE b.organization_id = organization;
       RETURN;
     END IF;
     INSERT INTO feed_positions (organization_id) VALUES (organization) ON CONFLICT DO NOTHING;
     SELECT p.oldest, p.newest, greatest(p.appended, clock_timestamp()) INTO oldest, newest, moment
       FROM feed_positions p WHERE p.organization_id = organization FOR UPDATE;
     WITH moved AS (
       DELETE FROM feed_outbox b USING (
         SELECT id FROM feed_outbox WHERE organization_id = organization ORDER BY id LIMIT 5000) next
       WHERE b.id = next.id AND b.organization_id = organization RETURNING b.*)
     INSERT INTO feed_entries (organization_id, position, appended, type, version, record_id, at, data)
     SELECT organization, feed_append.newest + row_number() OVER (ORDER BY m.id), moment, m.type, m.version, m.record_id, m.at,
       coalesce(f.data || m.data, m.data)
     FROM moved m LEFT JOIN LATERAL (
       SELECT jsonb_build_object('severity', ${SEVERITY}, 'verification', n.verification, 'labels', n.labels, 'asset_id', n.asset_id, 'event_ids', ARRAY(
         SELECT s.event_id FROM event_findings s WHERE s.finding_id = n.id AND s.organization_id = organization
         UNION SELECT n.event_id WHERE n.event_id IS NOT NULL)) AS data
       FROM findings n WHERE n.id = m.finding_id AND n.organization_id = organization) f ON true;
     GET DIAGNOSTICS count = ROW_COUNT;
     newest := newest + count;
     UPDATE feed_positions p SET newest = feed_append.newest, appended = moment WHERE p.organization_id = organization;
   END $$`,

  // Adds the partitions of this week and the next three, and drops the weeks that ended more than 30 days ago. Takes no arguments,
  // so that the service cannot drop anything else. Locks the positions before the entries, like feed_append().
  `CREATE FUNCTION feed_keep_partitions() RETURNS void LANGUAGE plpgsql
   SECURITY DEFINER SET search_path = public SET lock_timeout = '2s' SET timezone = 'UTC' AS $$
   DECLARE
     week   timestamptz;
     part   text;
     kept   timestamptz := date_trunc('week', now() - interval '30 days');
   BEGIN
     PERFORM pg_advisory_xact_lock(715830425);
     FOR week IN SELECT generate_series(date_trunc('week', now()), now() + interval '3 weeks', interval '1 week') LOOP
       part := 'feed_entries_' || to_char(week, 'YYYY_MM_DD');
       CONTINUE WHEN to_regclass(part) IS NOT NULL;
       EXECUTE format('CREATE TABLE %I (LIKE feed_entries INCLUDING DEFAULTS)', part);
       EXECUTE format('WITH moved AS (DELETE FROM feed_entries_other WHERE appended >= $1 AND appended < $2 RETURNING *)
         INSERT INTO %I SELECT * FROM moved', part) USING week, week + interval '1 week';
       EXECUTE format('ALTER TABLE feed_entries ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
         part, week, week + interval '1 week');
     END LOOP;
     IF NOT EXISTS (SELECT 1 FROM feed_entries WHERE appended < kept) THEN RETURN; END IF;
     UPDATE feed_positions p SET oldest = coalesce(
       (SELECT min(e.position) FROM feed_entries e WHERE e.organization_id = p.organization_id AND e.appended >= kept),
       p.newest + 1);
     FOR part IN SELECT child.relname FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
       WHERE inhparent = 'feed_entries'::regclass AND child.relname ~ '^feed_entries_[0-9]{4}_[0-9]{2}_[0-9]{2}$'
         AND to_timestamp(right(child.relname, 10), 'YYYY_MM_DD') < kept LOOP
       EXECUTE format('DROP TABLE %I', part);
     END LOOP;
     DELETE FROM feed_entries_other WHERE appended < kept;
   END $$`,
  'SELECT feed_keep_partitions()',

  ...Object.entries(WATCHED).flatMap(([table, watched]) => [
    ...addedTrigger(table, watched),
    ...changedTrigger(table, watched),
    ...removedTrigger(table, watched),
  ]),
  ...scopeTrigger('INSERT', 'added', 'added'),
  ...scopeTrigger('DELETE', 'removed', 'removed'),
  ...rowTrigger(
    'findings_verified',
    'UPDATE ON findings',
    'NEW.verification <> OLD.verification OR NEW.verified_at IS DISTINCT FROM OLD.verified_at',
    insertion(
      'finding.verified',
      { kind: 'finding', finding: 'n.id', data: {} },
      object({ severity: SEVERITY, ...same('status', 'verification', 'labels', 'asset_id') }),
    ),
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
