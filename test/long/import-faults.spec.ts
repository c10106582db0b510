import { startApi } from '../support/api';
import { Client } from '../support/client';
import { useContract } from '../support/contract';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { RestartablePostgres } from '../support/restartable-postgres';
import { RestartableProcess } from '../support/restartable-process';

const ROWS = 12_000;
/** Generous for a busy machine: this does not measure speed. */
const WITHIN_MS = 10 * 60_000;

const postgres = new RestartablePostgres();
const api = new RestartableProcess('api', () => postgres.url());
const workers = [1, 2].map(() => new RestartableProcess('worker', () => postgres.url()));
let client: Client;
let organizationId: number;
let host: string;

beforeAll(async () => {
  await postgres.start();
  const first = await startApi({ DATABASE_URL: postgres.url() });
  useContract(first.app);
  try {
    const make = new Factories(first);
    const tenant = await make.organization();
    organizationId = tenant.id;
    client = new Client(() => api.url, (await tenant.as('member')).credentials);
    host = (await make.asset(organizationId)).value;
  } finally {
    await first.app.close();
  }
  // By default the import would end with an error when it has lost its fifth worker.
  const settings = { LOG_LEVEL: 'fatal', WORK_LEASE_SECONDS: '2', WORK_SWEEP_SECONDS: '0.2', WORK_ATTEMPTS: '20' };
  await Promise.all([api, ...workers].map((process) => process.start(settings)));
});

afterAll(async () => {
  await Promise.all([api, ...workers].map((process) => process.close()));
  await postgres.remove();
});

/** Each result twice at the same time, so that one of each pair changes nothing. */
const fileOf = (rule: string): Blob =>
  new Blob(
    Array.from(
      { length: ROWS },
      (_, number) =>
        `${JSON.stringify({
          'template-id': rule,
          info: { name: 'Weakness', severity: 'low' },
          'matched-at': `https://${host}/${number % (ROWS / 2)}`,
          timestamp: '2026-01-31T12:00:00Z',
        })}\n`,
    ),
    { type: 'application/x-ndjson' },
  );

interface Progress {
  readonly status: string;
  readonly done: number;
}

async function progressOf(id: number): Promise<Progress> {
  const [row] = await postgres.query<Progress>('SELECT status, rows_done AS done FROM imports WHERE id = $1', [id]);
  if (row === undefined) throw new Error('The import is gone.');
  return row;
}

const whenDone = (id: number, rows: number): Promise<void> =>
  eventually(async () => expect((await progressOf(id)).done).toBeGreaterThanOrEqual(rows), WITHIN_MS);

async function expectWholeImport(id: number, rule: string): Promise<void> {
  await eventually(async () => expect((await progressOf(id)).status).toBe('FINISHED'), WITHIN_MS);
  const { body } = await client.get(`/v1/imports/${id}`);
  expect(body).toMatchObject({ rows_done: ROWS, rows: { new: ROWS / 2, unchanged: ROWS / 2, refused: 0 } });
  const [counted] = await postgres.query<object>(
    `SELECT (SELECT count(*)::int FROM import_rows WHERE import_id = $1 AND result <> 'missing') AS rows,
       (SELECT count(*)::int FROM finding_sightings WHERE import_id = $1) AS sightings,
       (SELECT count(DISTINCT finding_id)::int FROM finding_sightings WHERE rule_id = $2) AS findings,
       (SELECT count(*)::int FROM finding_history h WHERE h.organization_id = $3)
         = (SELECT count(*)::int FROM findings f WHERE f.organization_id = $3) AS "hasOneEntryEach",
       (SELECT sum(findings)::int FROM asset_totals WHERE organization_id = $3)
         = (SELECT count(*)::int FROM findings f WHERE f.organization_id = $3) AS "hasRightTotals"`,
    [id, rule, organizationId],
  );
  expect(counted).toEqual({
    rows: ROWS,
    sightings: ROWS / 2,
    findings: ROWS / 2,
    hasOneEntryEach: true,
    hasRightTotals: true,
  });
}

it('loses and doubles nothing when the worker of an import is killed repeatedly', async () => {
  const { body } = await client.post(`/v1/organizations/${organizationId}/imports`, fileOf('killed'));
  for (const share of [0.1, 0.3, 0.5, 0.7]) {
    await whenDone(body.id, ROWS * share);
    // One of them has the import. The other one goes on while the first one starts again.
    for (const worker of workers) await worker.restart('SIGKILL');
  }
  await expectWholeImport(body.id, 'killed');
  const [work] = await postgres.query<{ attempt: number }>(
    `SELECT attempt FROM work WHERE kind = 'import.run' AND reference = $1`,
    [String(body.id)],
  );
  expect(work?.attempt).toBeGreaterThan(1);
});

it('loses and doubles nothing when the database crashes in the middle of an import', async () => {
  const { body } = await client.post(`/v1/organizations/${organizationId}/imports`, fileOf('crashed'));
  for (const share of [0.2, 0.6]) {
    await whenDone(body.id, ROWS * share);
    await postgres.stop('immediate');
    await postgres.start();
  }
  await expectWholeImport(body.id, 'crashed');
});
