import { Client } from 'pg';
import { ProposedChecksRepository } from '../../src/modules/findings/scans/data/proposed-checks.repository';
import { ScannedFindingsRepository } from '../../src/modules/findings/scans/data/scanned-findings.repository';
import { ImportResultsRepository } from '../../src/modules/imports/data/import-results.repository';
import { useApi } from '../support/api';
import { query, testDatabase } from '../support/database';
import { Factories } from '../support/factories';
import { rowsReadBy } from '../support/plans';
import { statementsOf } from '../support/statements';

const api = useApi();
const make = new Factories(api);

const ROWS = 2_000;

let database: Client;
let imported: Import;
beforeAll(async () => {
  database = new Client({ connectionString: (await testDatabase()).ownerUrl });
  await database.connect();
  await firstImport();
  // Autovacuum does this now and then. The statistics do not contain the next organization.
  await database.query('ANALYZE findings, finding_sightings, import_rows');
  imported = await firstImport();
});
afterAll(() => database.end());

interface Import {
  readonly id: number;
  readonly organizationId: number;
  readonly findings: readonly { readonly id: number; readonly fingerprint: string }[];
}

/** The first import of an organization, for which PostgreSQL has no statistics. */
async function firstImport(): Promise<Import> {
  const tenant = await make.organization();
  const { id: assetId, value } = await make.asset(tenant.id);
  const { client } = await tenant.as('member');
  const file = new Blob([`title,severity,url\nWeak,low,https://${value}/\n`], { type: 'text/csv' });
  const { id } = (await client.post(`/v1/organizations/${tenant.id}/imports`, file)).body;
  const findings = await query<Import['findings'][number]>(
    `INSERT INTO findings (organization_id, asset_id, asset_value, title, md, html, status, severity, priority, fingerprint)
     SELECT $1, $2, $3, 'Finding ' || n, 'Text.', '<p>Text.</p>', 1, 1, 1, decode(md5(n::text) || md5(n::text), 'hex')
     FROM generate_series(1, $4::int) n RETURNING id, encode(fingerprint, 'hex') AS fingerprint`,
    [tenant.id, assetId, value, ROWS],
  );
  const ids = findings.map((finding) => finding.id);
  await query(
    `INSERT INTO finding_sightings (organization_id, finding_id, import_id, scanner, source, seen_at, outcome, title, severity,
       actor_type, actor_id)
     SELECT $1, id, $2, 'nuclei', 'rule', now(), 'created', 'Finding', 1, 'system', 'system' FROM unnest($3::int[]) id`,
    [tenant.id, id, ids],
  );
  await query(
    `INSERT INTO import_rows (organization_id, import_id, number, result, finding_id, fingerprint)
     SELECT organization_id, $1, row_number() OVER (), 'new', id, fingerprint FROM findings WHERE id = ANY($2::int[])`,
    [id, ids],
  );
  return { id, organizationId: tenant.id, findings };
}

async function rowsReadOf(read: () => Promise<unknown>): Promise<Record<string, number>> {
  const [statement] = await statementsOf(read);
  if (statement === undefined) throw new Error('No statement was sent.');
  return rowsReadBy(database, statement);
}

describe('after the first import of an organization', () => {
  it('the findings that a scanner has seen before are looked up one by one', async () => {
    const seen = imported.findings.slice(0, 500).map(({ id }) => ({ findingId: id, scanner: 'nuclei', place: '' }));
    const repository = api.app.get(ScannedFindingsRepository, { strict: false });
    const { findings } = await rowsReadOf(() => repository.listOpen(imported.organizationId, seen));
    expect(findings).toBe(2 * seen.length);
  });

  it('earlier results of the file are looked up one by one', async () => {
    const fingerprints = imported.findings.slice(0, 100).map(({ fingerprint }) => fingerprint);
    const repository = api.app.get(ImportResultsRepository, { strict: false });
    const read = await rowsReadOf(() => repository.listEarlier(imported.id, fingerprints));
    expect(read['import_rows']).toBe(fingerprints.length);
  });

  it('a page of its sightings reads no findings of others', async () => {
    const repository = api.app.get(ProposedChecksRepository, { strict: false });
    const { findings } = await rowsReadOf(() => repository.listOfScanner(imported.id, 'nuclei', '0', 100));
    expect(findings).toBeGreaterThanOrEqual(100);
    expect(findings).toBeLessThanOrEqual(ROWS);
  });
});
