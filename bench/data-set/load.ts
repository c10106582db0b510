import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { RISK_WEIGHTS } from '../../src/modules/findings/domain/risk-score';
import { credentialsOf, hashOf } from './keys';
import { Random, Skewed } from './random';
import { type Shape, assetAt, eventAt, organizationAt, slugOf } from './shape';
import { paragraphs, title } from './texts';

type Cell = string | number | null;

/** Large enough that the overhead for each chunk does not matter. */
const chunkRows = 2_000;

const startOfData = Date.UTC(2024, 0, 1);
const minute = 60_000;
const instant = (milliseconds: number): string => new Date(milliseconds).toISOString();
const escapeCell = (cell: Cell): string =>
  cell === null
    ? '\\N'
    : typeof cell === 'number'
      ? String(cell)
      : cell.replace(/[\\\n\t]/g, (found) => ({ '\\': '\\\\', '\n': '\\n', '\t': '\\t' })[found] ?? '');

function* inChunks(rows: Iterable<readonly Cell[]>): Generator<string> {
  let lines: string[] = [];
  for (const row of rows) {
    lines.push(row.map(escapeCell).join('\t'));
    if (lines.length < chunkRows) continue;
    yield `${lines.join('\n')}\n`;
    lines = [];
  }
  if (lines.length > 0) yield `${lines.join('\n')}\n`;
}

async function copy(client: Client, table: string, columns: string, rows: Iterable<readonly Cell[]>): Promise<void> {
  const sink = client.query(copyFrom(`COPY ${table} (${columns}) FROM STDIN`));
  await pipeline(Readable.from(inChunks(rows)), sink);
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, place) => place);

function* organizations(shape: Shape): Generator<Cell[]> {
  for (const place of numbers(shape.organizations)) {
    const name = `Organization ${organizationAt(place)}`;
    yield [organizationAt(place), name, name.toLowerCase()];
  }
}

function* users(shape: Shape): Generator<Cell[]> {
  for (const place of numbers(shape.organizations)) {
    const email = `owner${organizationAt(place)}@example.com`;
    yield [organizationAt(place), email, email];
  }
}

function* apiKeys(shape: Shape): Generator<Cell[]> {
  for (const place of numbers(shape.organizations)) {
    const id = organizationAt(place);
    const { accessKey, secret } = credentialsOf(id);
    yield [id, accessKey, `\\x${hashOf(secret)}`, id, 'bench', '{write}'];
  }
}

function* events(shape: Shape): Generator<Cell[]> {
  for (const organization of numbers(shape.organizations)) {
    for (const place of numbers(shape.eventsEach)) {
      const id = eventAt(shape, organization, place);
      const dates = [instant(startOfData), instant(Date.UTC(2030, 0, 1))];
      yield [id, organizationAt(organization), `Event ${id}`, slugOf(id), 1, 1, 'running', ...dates];
    }
  }
}

const hostOf = (assetId: number): string => `host-${assetId}.example.com`;

function* assets(shape: Shape): Generator<Cell[]> {
  for (const organization of numbers(shape.organizations)) {
    for (const place of numbers(shape.assetsEach)) {
      const id = assetAt(shape, organization, place);
      yield [id, organizationAt(organization), hostOf(id), 'domain', (place % 3) + 1];
    }
  }
}

/** In the order of their time, as launches of all organizations alternate. */
function* jobs(shape: Shape): Generator<Cell[]> {
  for (const place of numbers(shape.jobsEach)) {
    for (const organization of numbers(shape.organizations)) {
      const assetId = assetAt(shape, organization, place % shape.assetsEach);
      const hash = digest(`j${organization}-${place}`);
      const uuid = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
      const times = [0, 1, 5].map((minutes) => instant(startOfData + (place * 60 + minutes) * minute));
      yield [uuid, organizationAt(organization), assetId, `https://${hostOf(assetId)}/`, 'FINISHED', ...times];
    }
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What filters compare: three of ten findings were tested, four have a CWE, two a CVE, and one of 500 is exploited. */
function filteredCells(random: Random): Cell[] {
  const tested = random.integerBelow(100);
  const verification = tested < 70 ? 'untested' : tested < 80 ? 'confirmed' : tested < 98 ? 'refuted' : 'inconclusive';
  const cwe = random.integerBelow(10) < 4 ? 1 + random.integerBelow(300) : null;
  const hasCve = random.integerBelow(10) < 2;
  const cve = hasCve ? `CVE-2024-${10_000 + random.integerBelow(20_000)}` : null;
  // Most scores are small.
  const epss = hasCve ? (random.integerBelow(1_000) / 1_000) ** 8 : null;
  const isKnownExploited = hasCve && random.integerBelow(100) === 0;
  return [verification, cwe, cve, epss, isKnownExploited ? 't' : 'f'];
}

/** Findings in the order of their time, most of them in large events. */
function* findings(shape: Shape): Generator<Cell[]> {
  const random = new Random(1);
  const filtered = new Random(3);
  const organizationOf = new Skewed(shape.organizations);
  const eventOf = new Skewed(shape.eventsEach);
  for (let id = 1; id <= shape.findings; id++) {
    const organization = organizationOf.choose(random);
    const assetId = assetAt(shape, organization, random.integerBelow(shape.assetsEach));
    const text = paragraphs(random);
    const severity = random.integerBelow(7);
    const status = 1 + random.integerBelow(10);
    const created = instant(startOfData + id * 100);
    yield [
      id,
      organizationAt(organization),
      eventAt(shape, organization, eventOf.choose(random)),
      assetId,
      hostOf(assetId),
      title(random),
      text.join('\n\n'),
      `${text.map((paragraph) => `<p>${paragraph}</p>`).join('\n')}\n`,
      status,
      status === 1 ? null : 1,
      severity,
      1 + random.integerBelow(5),
      severity === 0 ? null : ((severity * 15 + random.integerBelow(9)) / 10).toFixed(1),
      `\\x${digest(`f${id}`)}`,
      created,
      created,
      ...filteredCells(filtered),
    ];
  }
}

/** The recording of each finding, and a status change for every third. */
const historyOfFindings = `
  INSERT INTO finding_history (organization_id, finding_id, status, previous_status, actor_type, actor_id, created)
  SELECT organization_id, id, 1, NULL, 'user', organization_id::text, created FROM findings
  UNION ALL
  SELECT organization_id, id, status, 1, 'user', organization_id::text, created + interval '1 day' FROM findings
  WHERE status > 1 AND id % 3 = 0`;

/** Each finding belongs to one event. */
const linksOfFindings = `
  INSERT INTO event_findings (event_id, finding_id, organization_id, severity, priority, first_seen, last_seen)
  SELECT event_id, id, organization_id, severity, priority, created, last_seen FROM findings`;

const totalsOfFindings = `
  INSERT INTO asset_totals (asset_id, organization_id, findings, cosmic, critical, high, medium, low, proved)
  SELECT asset_id, organization_id, count(*),
    count(*) FILTER (WHERE severity = 6 AND status <= 4), count(*) FILTER (WHERE severity = 5 AND status <= 4),
    count(*) FILTER (WHERE severity = 4 AND status <= 4), count(*) FILTER (WHERE severity = 3 AND status <= 4),
    count(*) FILTER (WHERE severity = 2 AND status <= 4),
    coalesce(sum((ARRAY[${RISK_WEIGHTS.join()}])[severity + 1]) FILTER (WHERE verification = 'confirmed' AND status <= 4), 0)
  FROM findings GROUP BY asset_id, organization_id`;

/** Ten of eleven entries are in the first organization, whose log is measured. */
function* auditEntries(shape: Shape): Generator<Cell[]> {
  const random = new Random(2);
  const organizationOf = new Skewed(shape.organizations);
  for (let number = 1; number <= shape.auditEntries; number++) {
    const at = startOfData + number * minute;
    const place = number % 11 === 0 ? organizationOf.choose(random) : 0;
    const head = at.toString(16).padStart(12, '0');
    const tail = number.toString(16).padStart(12, '0');
    yield [
      `${head.slice(0, 8)}-${head.slice(8)}-7000-8000-${tail}`,
      instant(at),
      organizationAt(place),
      'user',
      String(organizationAt(place)),
      'finding.status_update',
      'findings',
      'finding',
      String(1 + random.integerBelow(shape.findings)),
      'success',
      `{"ip":"192.0.2.${number % 250}","request_id":"r${number}","from":1,"to":2}`,
    ];
  }
}

const tablesToLoad: readonly (readonly [table: string, columns: string, rows: (shape: Shape) => Iterable<Cell[]>])[] = [
  ['organizations', 'id, name, folded_name', organizations],
  ['users', 'id, email, folded_email', users],
  ['api_keys', 'id, access_key, secret_hash, user_id, label, scopes', apiKeys],
  ['events', 'id, organization_id, name, slug, event_type, event_category, status, start_date, end_date', events],
  ['assets', 'id, organization_id, value, type, tier', assets],
  ['jobs', 'uuid, organization_id, asset_id, url, status, created, started, finished', jobs],
  [
    'findings',
    `id, organization_id, event_id, asset_id, asset_value, title, md, html, status, previous_status, severity, priority,
     score, fingerprint, last_seen, created, verification, cwe, cve, epss, kev`,
    findings,
  ],
  [
    'audit_logs',
    `id, timestamp, organization_id, actor_type, actor_id, operation, operation_category, resource_type, resource_id,
     status, metadata`,
    auditEntries,
  ],
];

const largeTables = ['findings', 'finding_words', 'event_findings', 'finding_history', 'audit_logs'];

interface Definition {
  readonly name: string;
  readonly create: string;
  readonly drop: string;
}

/** Constraints and indexes of the large tables, which are dropped while rows are loaded because that is faster. */
async function constraintsAndIndexesOf(client: Client): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(
    `SELECT conname AS name, 1 AS position,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS create,
       format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', conrelid::regclass, conname) AS drop
     FROM pg_constraint WHERE conrelid = ANY($1::regclass[]) AND contype IN ('p', 'u')
     UNION ALL
     SELECT c.relname, 0, pg_get_indexdef(i.indexrelid), format('DROP INDEX %I', c.relname)
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid = ANY($1::regclass[]) AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)
     UNION ALL
     SELECT conname, 2,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID', conrelid::regclass, conname, pg_get_constraintdef(oid)),
       format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I', conrelid::regclass, conname)
     FROM pg_constraint
     WHERE contype = 'f' AND (conrelid = ANY($1::regclass[]) OR confrelid = ANY($1::regclass[]))
     ORDER BY position DESC`,
    [largeTables],
  );
  return rows;
}

/** Fills a migrated, empty database. The client is the owner of the tables. */
export async function load(client: Client, shape: Shape, log: (line: string) => void): Promise<void> {
  const definitions = await constraintsAndIndexesOf(client);
  for (const { drop } of definitions) await client.query(drop);
  for (const [table, columns, rows] of tablesToLoad) {
    log(`loading ${table} …`);
    await copy(client, table, columns, rows(shape));
    if (table === 'users') {
      await client.query(`INSERT INTO memberships (user_id, organization_id, role) SELECT id, id, 'owner' FROM users`);
    }
    if (table === 'api_keys') {
      await client.query(
        `INSERT INTO api_key_organizations (key_id, user_id, organization_id) SELECT id, user_id, user_id FROM api_keys`,
      );
    }
  }
  log('loading history, totals and links …');
  await client.query(historyOfFindings);
  await client.query(totalsOfFindings);
  await client.query(linksOfFindings);
  await client.query(`SET maintenance_work_mem = '512MB'`);
  for (const { name, create } of definitions.toReversed()) {
    log(`creating ${name} …`);
    await client.query(create);
  }
  for (const table of ['organizations', 'users', 'api_keys', 'events', 'assets', 'findings']) {
    await client.query(`SELECT setval(pg_get_serial_sequence('${table}', 'id'), (SELECT max(id) FROM ${table}))`);
  }
  log('VACUUM ANALYZE …');
  await client.query('VACUUM ANALYZE');
}
