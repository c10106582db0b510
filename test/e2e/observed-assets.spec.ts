import { type ObservedAsset, ObservedAssets } from '../../src/modules/assets';
import { system } from '../../src/platform/api/caller';
import { everything } from '../../src/platform/api/scope';
import { UnitOfWork } from '../../src/platform/audit/unit-of-work';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';

const api = useApi();
const make = new Factories(api);

const nginx = {
  name: 'nginx',
  vendor: 'F5',
  version: '1.28.0',
  os: 'Debian',
  cpe: 'cpe:2.3:a:f5:nginx:1.28.0:*:*:*:*:*:*:*',
  source: 'Server header of https://www.example.com/',
};
const php = { name: 'PHP', vendor: '', version: '', os: '', cpe: '', source: 'X-Powered-By header' };
const observed: ObservedAsset = {
  ip: '192.0.2.7',
  services: ['https', 'http'],
  ports: [443, 80],
  technologies: [nginx, php],
};

const replace = (organizationId: number, assetId: number, asset: ObservedAsset): Promise<boolean> =>
  api.app
    .get(UnitOfWork)
    .run(
      { actor: system, operation: 'asset.observe', resourceType: 'asset', organizationId },
      everything('a test'),
      () => api.app.get(ObservedAssets).replace(organizationId, assetId, asset),
    );

async function observedTenant() {
  const tenant = await make.organization();
  const { client } = await tenant.as('viewer');
  const { id } = await make.asset(tenant.id);
  const read = async () => (await client.get(`/v1/assets/${id}`)).body;
  return { tenant, id, read };
}

describe('what an asset shows', () => {
  it('is stored and shown: address, services, ports, and technologies with their source', async () => {
    const { tenant, id, read } = await observedTenant();
    expect(await replace(tenant.id, id, observed)).toBe(true);
    const body = await read();
    expect(body).toMatchObject({ ip: '192.0.2.7', services: ['http', 'https'], ports: [80, 443] });
    expect(body.technologies).toEqual([
      { id: expect.any(Number), ...nginx },
      { id: expect.any(Number), ...php },
    ]);
  });

  it('keeps the ids of technologies that are still there, also if more is known about them', async () => {
    const { tenant, id, read } = await observedTenant();
    await replace(tenant.id, id, observed);
    const [first, second] = (await read()).technologies;
    await replace(tenant.id, id, observed);
    expect((await read()).technologies).toEqual([first, second]);
    const next = { ...nginx, version: '1.29.0' };
    await replace(tenant.id, id, { ...observed, technologies: [next, { ...php, os: 'Debian' }] });
    expect((await read()).technologies).toEqual([
      { ...second, os: 'Debian' },
      { ...next, id: expect.any(Number) },
    ]);
    await replace(tenant.id, id, { ip: null, services: [], ports: [], technologies: [] });
    expect(await read()).toMatchObject({ ip: null, services: [], ports: [], technologies: [] });
  });

  it('keeps the address of an asset of type ip', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    const { id } = await make.asset(tenant.id, { type: 'ip', value: '192.0.2.8' });
    await replace(tenant.id, id, { ...observed, ip: null });
    expect((await client.get(`/v1/assets/${id}`)).body).toMatchObject({ ip: '192.0.2.8', ports: [80, 443] });
  });

  it('does not change assets of other organizations, or assets that were deleted', async () => {
    const { id, read } = await observedTenant();
    const other = await make.organization();
    expect(await replace(other.id, id, observed)).toBe(false);
    expect(await read()).toMatchObject({ ip: null, services: [], ports: [], technologies: [] });
    expect(await replace(other.id, 2_000_000_000, observed)).toBe(false);
  });

  it('counts for the stored bytes of the organization, which are free again when the asset is deleted', async () => {
    const { tenant, id } = await observedTenant();
    const bytes = async (table: string): Promise<number> => {
      const [row] = await query<{ bytes: string | null }>(
        'SELECT sum(bytes) AS bytes FROM stored_rows WHERE organization_id = $1 AND table_name = $2',
        [tenant.id, table],
      );
      return Number(row?.bytes ?? 0);
    };
    const before = await bytes('assets');
    await replace(tenant.id, id, observed);
    expect(await bytes('assets')).toBeGreaterThan(before);
    const withFirst = await bytes('asset_technologies');
    expect(withFirst).toBeGreaterThan(0);
    await replace(tenant.id, id, { ...observed, technologies: [nginx, { ...php, os: 'Debian' }] });
    expect(await bytes('asset_technologies')).toBe(withFirst + 'Debian'.length - '""'.length);
    const { client } = await tenant.as('admin');
    await client.delete(`/v1/assets/${id}`);
    expect(await bytes('assets')).toBe(0);
    expect(await bytes('asset_technologies')).toBe(0);
  });
});
