import { checkImportPlaces } from '../../src/apps/cli/check-import-places';
import { testConfig, useApi } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';
import { imported } from '../support/imports';
import { useWorkerProcess } from '../support/processes';

const api = useApi();
useWorkerProcess();
const make = new Factories(api);

const DEMO = 'http://192.0.2.9:20100/';
const SHOP = 'http://192.0.2.9:20200/';

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly demo: number;
  readonly shop: number;
  readonly ids: readonly number[];
}

const csv = (urls: readonly string[]): Blob =>
  new Blob([`title,severity,url\n${urls.map((url) => `Weakness,high,${url}\n`).join('')}`], {
    type: 'application/octet-stream',
  });

const findingsOf = async ({ client, tenant }: Pick<Fixture, 'client' | 'tenant'>): Promise<Answer['body'][]> =>
  (await client.get(`/v1/organizations/${tenant.id}/findings/?per_page=100`)).body.findings.toSorted(
    (one: Answer['body'], other: Answer['body']) => one.id - other.id,
  );

/** Two findings of the shop that an earlier version has put on the demo, and one of the demo. */
async function misplaced(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('member');
  const { id: demo } = await make.asset(tenant.id, { value: DEMO, type: 'url' });
  const { id: shop } = await make.asset(tenant.id, { value: SHOP, type: 'url', tier: 1 });
  const at = { tenant, client, path: `/v1/organizations/${tenant.id}/imports` };
  await imported(at, csv([`${SHOP}a`, `${SHOP}b`, `${DEMO}c`]));
  await query(
    `UPDATE findings SET asset_id = $1, asset_value = $2, asset_tier = NULL, priority = 2, verification = 'confirmed' WHERE asset_id = $3`,
    [demo, DEMO, shop],
  );
  await query('DELETE FROM asset_totals WHERE asset_id = $1', [shop]);
  await query('UPDATE asset_totals SET findings = 3, high = 3 WHERE asset_id = $1', [demo]);
  return { ...at, demo, shop, ids: (await findingsOf(at)).map(({ id }) => id) };
}

const run = async ({ tenant }: Fixture, applies: boolean): Promise<string[]> => {
  const own = `Organization ${tenant.id} (`;
  const lines = await checkImportPlaces(await testConfig(), applies);
  return lines.filter((line) => line.startsWith(own)).map((line) => line.slice(line.indexOf('): ') + 3));
};

const totalsOf = ({ demo, shop }: Fixture) =>
  query('SELECT asset_id AS id, findings, high FROM asset_totals WHERE asset_id = ANY($1::int[]) ORDER BY 1', [
    [demo, shop],
  ]);

const movesOf = ({ tenant }: Fixture) =>
  query(
    `SELECT metadata -> 'findings' AS findings FROM audit_logs WHERE organization_id = $1 AND operation = 'finding.move'`,
    [tenant.id],
  );

describe('check-import-places', () => {
  it('lists findings on another URL than that at their place, and changes nothing', async () => {
    const at = await misplaced();
    const before = await findingsOf(at);
    expect(await run(at, false)).toEqual([`2 findings on ${DEMO} would be moved to ${SHOP}.`]);
    expect(await findingsOf(at)).toEqual(before);
    expect(await movesOf(at)).toEqual([]);
  });

  it('moves them with their history once --apply is given, and leaves an entry in the audit log', async () => {
    const at = await misplaced();
    const [first, second, third] = at.ids;
    expect(await run(at, true)).toEqual([`2 findings moved from ${DEMO} to ${SHOP}.`]);
    const onShop = expect.objectContaining({ asset_id: at.shop, asset_value: SHOP, priority: 1 });
    expect(await findingsOf(at)).toEqual([onShop, onShop, expect.objectContaining({ id: third, asset_id: at.demo })]);
    expect(await totalsOf(at)).toEqual([
      { id: at.demo, findings: 1, high: 1 },
      { id: at.shop, findings: 2, high: 2 },
    ]);
    const { history } = (await at.client.get(`/v1/findings/${first}/history`)).body;
    const note = `Moved from ${DEMO} to ${SHOP}, which is the asset at its place.`;
    expect(history.map(({ comment }: { comment: string }) => comment)).toEqual([note, null]);
    expect(await movesOf(at)).toEqual([{ findings: [first, second] }]);
    expect(await run(at, true)).toEqual([]);
    expect(await movesOf(at)).toHaveLength(1);
  });

  it('merges a finding that the URL has already, which can be separated', async () => {
    const at = await misplaced();
    const [first, , third] = at.ids;
    // As if both were one finding of one place, under two assets.
    await query(
      `UPDATE findings SET fingerprint = (SELECT fingerprint FROM findings WHERE id = $1), asset_id = $3, asset_value = $4 WHERE id = $2`,
      [first, third, at.shop, SHOP],
    );
    await query('UPDATE finding_sightings SET place = $2 WHERE finding_id = $1', [third, `${SHOP}a`]);
    expect(await run(at, true)).toEqual([
      `1 finding of ${DEMO} merged into those that ${SHOP} has already.`,
      `1 finding moved from ${DEMO} to ${SHOP}.`,
    ]);
    expect(await run(at, true)).toEqual([]);
    const read = async () => (await at.client.get(`/v1/findings/${first}/`)).body.findings[0];
    expect(await read()).toMatchObject({ merged_into: third });
    expect((await at.client.post(`/v1/findings/${third}/separate`, { finding_ids: [first] })).status).toBe(200);
    expect(await read()).toMatchObject({ merged_into: null, asset_value: DEMO });
  });

  it('names places that are no asset, and leaves findings there and on assets that cover all ports', async () => {
    const at = await misplaced();
    await make.asset(at.tenant.id, { value: '192.0.2.10', type: 'ip' });
    await imported(
      { client: at.client, path: `/v1/organizations/${at.tenant.id}/imports` },
      csv(['http://192.0.2.10:1/']),
    );
    const { client: admin } = await at.tenant.as('admin');
    expect((await admin.delete(`/v1/assets/${at.shop}/`)).status).toBe(200);
    const before = await findingsOf(at);
    expect(await run(at, true)).toEqual([
      `2 findings on ${DEMO} left there: ${SHOP} is no asset. Add it, and run the command again.`,
    ]);
    expect(await findingsOf(at)).toEqual(before);
  });
});
