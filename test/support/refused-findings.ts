import type { Client } from './client';
import { query } from './database';
import { eventually } from './eventually';
import type { Factories, Tenant } from './factories';
import type { VulnerableSite } from './vulnerable-site';

export interface RefusedFinding {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly userId: number;
  readonly id: number;
  readonly path: string;
}

/** Findings of a site that shows a repository, and refuses it when its state is `refused`. */
export function refusedFindings(make: Factories, site: VulnerableSite) {
  /** A finding with a baseline, whose file is refused since. */
  async function refused(tenant?: Tenant): Promise<RefusedFinding> {
    const own = tenant ?? (await make.organization());
    const { client, userId } = await own.as('owner');
    const { assets } = (await client.get(`/v1/organizations/${own.id}/assets/`)).body;
    const assetId = assets[0]?.id ?? (await make.asset(own.id, { value: site.url, type: 'url' })).id;
    const { slug } = await make.event(own.id, { status: 'running' });
    await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: assetId, in_scope: true });
    const check = { id: 'exposed-git', location: site.url };
    const title = `Git ${Math.random()}`;
    const { id } = (
      await client.post(`/v1/events/${slug}/findings/`, { title, severity: 'high', asset_id: assetId, check })
    ).body;
    await eventually(async () =>
      expect(await query('SELECT 1 FROM finding_baselines WHERE finding_id = $1', [id])).toHaveLength(1),
    );
    return { tenant: own, client, userId, id, path: `/v1/findings/${id}/baseline` };
  }

  async function retest({ client, id }: Pick<RefusedFinding, 'client' | 'id'>) {
    const path = `/v1/findings/${id}/retest`;
    expect((await client.post(path)).status).toBe(202);
    await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'));
    return (await client.get(path)).body;
  }

  async function job({ client }: RefusedFinding, more: object = {}) {
    const { uuid } = (await client.post('/v1/jobs/launch', { url: site.url, checks: ['exposed-git'], ...more })).body;
    await eventually(async () =>
      expect((await client.get(`/v1/jobs/${uuid}/status`)).body.status).toMatch(/FINISHED|ERROR/),
    );
    return { uuid, ...(await client.get(`/v1/jobs/${uuid}/success`)).body };
  }

  /** Another finding of the same file, with the baseline of the first. */
  async function copyOf({ tenant, client, userId, id }: RefusedFinding): Promise<RefusedFinding> {
    const [asset] = (await client.get(`/v1/organizations/${tenant.id}/assets/`)).body.assets;
    const check = { checkId: 'exposed-git', checkDefinition: { location: site.url } };
    const other = await make.finding(tenant.id, { asset: { id: asset.id, value: site.url, tier: null }, ...check });
    await query(
      `INSERT INTO finding_baselines (finding_id, organization_id, check_definition, baseline)
       SELECT f.id, f.organization_id, f.check_definition, b.baseline FROM findings f, finding_baselines b
       WHERE f.id = $1 AND b.finding_id = $2`,
      [other.id, id],
    );
    return { tenant, client, userId, id: other.id, path: `/v1/findings/${other.id}/baseline` };
  }

  return { refused, retest, job, copyOf };
}
