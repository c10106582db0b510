import { type AssetRow, assetColumns, presentAsset } from '../../bench/servers/raw-asset';
import { columns, present, type Row } from '../../bench/servers/raw-finding';
import { jobColumns, type JobRow, presentJob } from '../../bench/servers/raw-job';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { tenantWithRecords } from '../support/records';

const api = useApi();

it('the raw server of the benchmark presents findings, assets and jobs as the service does', async () => {
  const { owner, ids } = await tenantWithRecords(new Factories(api));
  const textOf = async (path: string): Promise<string> => (await owner.client.get(path)).text;
  const id = ids.organization_id;
  const findings = await query<Row>(`SELECT ${columns} FROM findings f WHERE f.id = $1`, [ids.finding_id]);
  expect(JSON.stringify({ findings: findings.map(present) })).toBe(await textOf(`/v1/findings/${ids.finding_id}/`));
  const assets = await query<AssetRow>(
    `SELECT ${assetColumns} FROM assets a LEFT JOIN asset_totals t ON t.asset_id = a.id WHERE a.organization_id = $1 ORDER BY a.id DESC`,
    [id],
  );
  expect(assets.length).toBeGreaterThan(0);
  expect(JSON.stringify({ assets: assets.map(presentAsset) })).toBe(await textOf(`/v1/organizations/${id}/assets/`));
  const jobs = await query<JobRow>(`SELECT ${jobColumns} FROM jobs j WHERE j.organization_id = $1 ORDER BY j.id DESC`, [
    id,
  ]);
  expect(jobs.length).toBeGreaterThan(0);
  expect(JSON.stringify({ jobs: jobs.map(presentJob) })).toBe(await textOf('/v1/jobs/'));
});
