import { useApi, useWorker } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';

const api = useApi();
useWorker();
const make = new Factories(api);

const sizeOf = async (table: string): Promise<number> => {
  const [row] = await query<{ size: string }>(`SELECT pg_total_relation_size('${table}') AS size`);
  return Number(row?.size);
};

it('4 MB of refused rows add less than 1 MB to the database', async () => {
  const { id: organizationId, as } = await make.organization();
  const { client } = await as('member');
  const before = { rows: await sizeOf('import_rows'), counts: await sizeOf('stored_rows') };
  const file = new Blob([`{"findings":[${'1,'.repeat(2_000_000)}1]}`], { type: 'application/json' });
  const { body } = await client.post(`/v1/organizations/${organizationId}/imports`, file);
  await eventually(async () => {
    expect((await client.get(`/v1/imports/${body.id}`)).body.status).toBe('ERROR');
  }, 300_000);
  const after = await client.get(`/v1/imports/${body.id}`);
  expect(after.body.rows.refused).toBeGreaterThan(100_000);
  expect(after.body.rows.refused).toBeLessThan(101_000);
  expect(after.body.rows_done).toBe(after.body.rows.refused);
  expect(after.body.error).toContain('More than 100,000 rows were refused');
  const growth = (await sizeOf('import_rows')) - before.rows + (await sizeOf('stored_rows')) - before.counts;
  console.info(`${growth} bytes were added for ${body.size} bytes of refused rows`);
  expect(growth).toBeLessThan(1_000_000);
});
