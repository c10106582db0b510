import { AssetsService, Hostings } from '../../src/modules/assets';
import type { HostSeen } from '../../src/engine';
import { ObservationsService, ObservedHosts } from '../../src/modules/observations';
import { LookStore } from '../../src/modules/observations/look-store';
import { PurgeRepository } from '../../src/modules/organizations/data/purge.repository';
import { ObservationSchedule } from '../../src/modules/observations/work/observation-schedule';
import { ObservationRemoval } from '../../src/modules/observations/work/observation-removal';
import { Scope } from '../../src/platform/api/scope';
import { UnitOfWork } from '../../src/platform/audit/unit-of-work';
import { system } from '../../src/platform/api/caller';
import { useApi } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';
import { FakeBeaconLinks, FakeNetwork } from '../support/fake-beacon-links';
import { host, port } from '../support/fake-host-observer';
import { withLimit } from '../support/stored-limits';

/** No worker runs what begins. The tests run the scheduled tasks. */
const api = useApi({ OBSERVE_EVERY_HOURS: '24' });
const make = new Factories(api);
const links = new FakeBeaconLinks();
beforeAll(() => links.installIn(api.app));

// Canceled, so that workers of other tests do not run it.
afterAll(() =>
  query(`UPDATE work SET state = 'canceled', finished = now() WHERE state = 'waiting' AND kind = 'asset.observe'`),
);

/** One run of the scheduled task. */
const schedule = (): Promise<void> => api.app.get(ObservationSchedule, { strict: false }).run();

interface Fixture {
  readonly tenant: Tenant;
  readonly admin: Client;
  readonly assetId: number;
}

async function createAsset(tenant?: Tenant): Promise<Fixture> {
  const owner = tenant ?? (await make.organization());
  const { value } = await make.domain(owner.id, { verified: true });
  const [asset] = await query<{ id: number }>('SELECT id FROM assets WHERE organization_id = $1 AND value = $2', [
    owner.id,
    value,
  ]);
  return { tenant: owner, admin: (await owner.as('admin')).client, assetId: asset?.id ?? 0 };
}

const observationsOf = ({ assetId }: Pick<Fixture, 'assetId'>) =>
  query<{ cause: string; status: string }>('SELECT cause, status FROM observations WHERE asset_id = $1', [assetId]);

async function hoursUntilDue({ assetId }: Pick<Fixture, 'assetId'>): Promise<number | null> {
  const [row] = await query<{ hours: number | null }>(
    'SELECT extract(epoch FROM observation_due - now())::float8 / 3600 AS hours FROM assets WHERE id = $1',
    [assetId],
  );
  return row?.hours ?? null;
}

const stateOf = async ({ admin, assetId }: Fixture): Promise<Answer['body']> =>
  (await admin.get(`/v1/assets/${assetId}/observation`)).body;

/** As the upgrade leaves an organization that exists. */
async function asBeforeUpgrade({ tenant }: Fixture): Promise<void> {
  await query('UPDATE organizations SET observation_enabled = false WHERE id = $1', [tenant.id]);
  await query('UPDATE beacons SET observation_enabled = false WHERE organization_id = $1', [tenant.id]);
  await query('UPDATE assets SET observation_due = NULL WHERE organization_id = $1', [tenant.id]);
}

describe('the schedule', () => {
  it('observes an asset when it was added, and again about a day later', async () => {
    const fixture = await createAsset();
    await schedule();
    expect(await observationsOf(fixture)).toEqual([{ cause: 'schedule', status: 'PENDING' }]);
    expect(await hoursUntilDue(fixture)).toBeGreaterThan(21.5);
    expect(await hoursUntilDue(fixture)).toBeLessThan(26.5);
    await schedule();
    expect(await observationsOf(fixture)).toHaveLength(1);
    await query(`UPDATE observations SET status = 'FINISHED' WHERE asset_id = $1`, [fixture.assetId]);
    await query('UPDATE assets SET observation_due = now() WHERE id = $1', [fixture.assetId]);
    await schedule();
    expect(await observationsOf(fixture)).toHaveLength(2);
  });

  it('says why an asset is not observed, and asks again only after the interval', async () => {
    const tenant = await make.organization();
    const { id: assetId } = await make.asset(tenant.id, { value: 'unverified.example.com' });
    const fixture = { tenant, admin: (await tenant.as('admin')).client, assetId };
    await schedule();
    expect(await observationsOf(fixture)).toEqual([]);
    expect((await stateOf(fixture)).reason).toContain('is not verified: add it to your domains');
    expect(await hoursUntilDue(fixture)).toBeGreaterThan(21.5);
  });

  it('leaves out an asset that an admin has turned off, also on demand', async () => {
    const fixture = await createAsset();
    const path = `/v1/assets/${fixture.assetId}`;
    expect((await fixture.admin.patch(`${path}/observation`, { observe: false })).body).toMatchObject({
      observe: false,
      next_observation: null,
    });
    await schedule();
    expect(await observationsOf(fixture)).toEqual([]);
    const answer = await fixture.admin.post(`${path}/observe`);
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('turned off')]);
  });

  it('starts at most 25 of an organization, so that people can start some too', async () => {
    const { tenant } = await createAsset();
    for (let count = 1; count < 28; count++) await createAsset(tenant);
    for (let run = 0; run < 4; run++) await schedule();
    const rows = await query('SELECT 1 FROM observations WHERE organization_id = $1', [tenant.id]);
    expect(rows).toHaveLength(25);
  });

  it('uses the interval of the organization', async () => {
    const fixture = await createAsset();
    const path = `/v1/organizations/${fixture.tenant.id}/settings/observation`;
    expect((await fixture.admin.get(path)).body).toEqual({ enabled: true, every_hours: null });
    expect((await fixture.admin.put(path, { enabled: true, every_hours: 100 })).body).toEqual({
      enabled: true,
      every_hours: 100,
    });
    await schedule();
    expect(await hoursUntilDue(fixture)).toBeGreaterThan(89);
  });

  it('does not observe an organization from before the upgrade until an admin turns it on, then over a week', async () => {
    const fixture = await createAsset();
    for (let count = 1; count < 20; count++) await createAsset(fixture.tenant);
    await asBeforeUpgrade(fixture);
    await schedule();
    const added = await createAsset(fixture.tenant);
    await schedule();
    expect(await observationsOf(added)).toEqual([]);
    const path = `/v1/organizations/${fixture.tenant.id}/settings/observation`;
    expect((await fixture.admin.put(path, { enabled: true, every_hours: null })).status).toBe(200);
    await schedule();
    const rows = await query<{ hours: number }>(
      'SELECT extract(epoch FROM observation_due - now())::float8 / 3600 AS hours FROM assets WHERE organization_id = $1',
      [fixture.tenant.id],
    );
    expect(rows).toHaveLength(21);
    for (const { hours } of rows) expect(hours).toBeLessThan(168);
    expect(Math.max(...rows.map(({ hours }) => hours)) - Math.min(...rows.map(({ hours }) => hours))).toBeGreaterThan(
      24,
    );
    expect(await query('SELECT 1 FROM observations WHERE organization_id = $1', [fixture.tenant.id])).toEqual([]);
  });

  it('does not observe what is behind a beacon from before the upgrade until an admin turns it on', async () => {
    const tenant = await make.organization();
    const { id: beaconId } = await make.beacon(tenant.id);
    const { id: assetId } = await make.asset(tenant.id, { value: '10.20.0.9', type: 'ip', beaconId });
    const fixture = { tenant, admin: (await tenant.as('admin')).client, assetId };
    await query('UPDATE beacons SET observation_enabled = false WHERE id = $1', [beaconId]);
    await schedule();
    expect(await observationsOf(fixture)).toEqual([]);
    expect((await stateOf(fixture)).reason).toContain('Observation is off for the beacon');
    links.connect(beaconId, new FakeNetwork());
    // Not for a schedule or an event either, but on demand.
    const observations = api.app.get(ObservationsService);
    const asset = await api.app.get(AssetsService).get(Scope.organizations([tenant.id]), assetId);
    const off = 'Observation is off for the beacon';
    expect(await observations.obstacleTo(Scope.organizations([tenant.id]), asset, 'schedule')).toContain(off);
    const onDemand = await fixture.admin.post(`/v1/assets/${assetId}/observe`);
    expect(onDemand.status).toBe(202);
    await fixture.admin.post(`/v1/observations/${onDemand.body.uuid}/cancel`);
    await query('DELETE FROM observations WHERE asset_id = $1', [assetId]);
    const path = `/v1/organizations/${tenant.id}/beacons/${beaconId}`;
    expect((await fixture.admin.patch(path, { observe: true })).body).toMatchObject({ observe: true });
    await query('UPDATE assets SET observation_due = now() WHERE id = $1', [assetId]);
    await schedule();
    expect(await observationsOf(fixture)).toHaveLength(1);
  });

  it('does not observe a deleted organization', async () => {
    const fixture = await createAsset();
    await query('UPDATE organizations SET deleted_at = now() WHERE id = $1', [fixture.tenant.id]);
    await schedule();
    expect(await observationsOf(fixture)).toEqual([]);
  });
});

describe('the decisions of admins about an asset', () => {
  const HOSTED = { by: 'GitHub Pages', target: 'shop.github.io' };
  const hosted = (fixture: Fixture) =>
    query(
      `INSERT INTO observed_assets (asset_id, organization_id, hosted_by, hosted_target)
       VALUES ($1, $2, 'GitHub Pages', 'shop.github.io')`,
      [fixture.assetId, fixture.tenant.id],
    );

  it('name the target of the host, and are in the audit log', async () => {
    const fixture = await createAsset();
    const path = `/v1/assets/${fixture.assetId}/observation`;
    expect((await fixture.admin.patch(path, { own_target: 'shop.github.io' })).text).toContain(
      'did not show that someone else runs the host',
    );
    await hosted(fixture);
    expect((await fixture.admin.get(path)).body).toMatchObject({ hosted_by: 'GitHub Pages', limited: true });
    const other = await fixture.admin.patch(path, { permitted_target: 'other.github.io' });
    expect([other.status, other.text]).toEqual([422, expect.stringContaining('shop.github.io')]);
    expect((await fixture.admin.patch(path, { permitted_target: 'shop.github.io' })).body).toMatchObject({
      permitted_target: 'shop.github.io',
      own_target: null,
      limited: false,
    });
    expect((await fixture.admin.patch(path, { permitted_target: null })).body).toMatchObject({ limited: true });
    const { client } = await fixture.tenant.as('owner');
    const entries = (await client.get('/v1/audit-logs/?operation=asset.observation_change&status=success')).body;
    expect(entries.audit_logs[1].metadata).toMatchObject({
      from: { permitted_target: null },
      to: { permitted_target: 'shop.github.io' },
    });
  });

  it('about a host are for all of its assets, and for no other host with the same target', async () => {
    const fixture = await createAsset();
    const other = await createAsset(fixture.tenant);
    const [row] = await query<{ value: string }>('SELECT value FROM assets WHERE id = $1', [fixture.assetId]);
    const url = { value: `https://${row?.value}:8443/a`, type: 'url' };
    const page = { ...fixture, assetId: (await make.asset(fixture.tenant.id, url)).id };
    for (const one of [fixture, other, page]) await hosted(one);
    const path = `/v1/assets/${fixture.assetId}/observation`;
    expect((await fixture.admin.patch(path, { permitted_target: 'shop.github.io' })).status).toBe(200);
    expect(await stateOf(page)).toMatchObject({ limited: false, permitted_target: null });
    expect(await stateOf(other)).toMatchObject({ limited: true });
    const decide = () => api.app.get(Hostings).decide(fixture.tenant.id, row?.value ?? '', HOSTED);
    expect(await decide()).toMatchObject({ isLimited: false });
    expect(await api.app.get(Hostings).decide(other.tenant.id, `www.${row?.value}`, HOSTED)).toMatchObject({
      isLimited: true,
    });
  });

  it.each([
    ['0', 'observe_ports contains \\"0\\", which is not a port from 1 to 65535'],
    ['1-2000', 'observe_ports must have at most 1000 ports'],
    ['22,ssh', 'observe_ports contains \\"ssh\\", which is not a port from 1 to 65535'],
  ])('refuse the ports %s', async (ports, message) => {
    const fixture = await createAsset();
    const answer = await fixture.admin.patch(`/v1/assets/${fixture.assetId}/observation`, { observe_ports: ports });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(message)]);
  });

  it('allow all ports only behind a beacon', async () => {
    const fixture = await createAsset();
    const change = { observe_ports: 'all' };
    const answer = await fixture.admin.patch(`/v1/assets/${fixture.assetId}/observation`, change);
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('only behind a beacon')]);
    const { id: beaconId } = await make.beacon(fixture.tenant.id);
    const { id } = await make.asset(fixture.tenant.id, { value: '10.20.0.9', type: 'ip', beaconId });
    const changed = await fixture.admin.patch(`/v1/assets/${id}/observation`, change);
    expect(changed.body).toMatchObject({ observe_ports: 'all' });
  });

  it('stores ports in one canonical form, and can return to the usual ones', async () => {
    const fixture = await createAsset();
    const path = `/v1/assets/${fixture.assetId}/observation`;
    const chosen = await fixture.admin.patch(path, { observe_ports: '443, 22,444,445' });
    expect(chosen.body).toMatchObject({ observe_ports: '22,443-445', observe: true });
    expect((await fixture.admin.patch(path, { observe_ports: null })).body).toMatchObject({ observe_ports: null });
  });
});

const addChange = (organizationId: number, assetId: number, seen: string) =>
  query(
    `INSERT INTO asset_changes (id, organization_id, asset_id, seen, kind)
     VALUES (gen_random_uuid(), $1, $2, ${seen}, 'port_opened')`,
    [organizationId, assetId],
  );

const partitions = async (): Promise<string[]> =>
  (
    await query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'asset_changes'::regclass ORDER BY 1`,
    )
  ).map(({ name }) => name);

describe('the changes', () => {
  it('have a partition for each of the next months, and keep rows of other months until they are too old', async () => {
    const { tenant, assetId } = await createAsset();
    const removal = api.app.get(ObservationRemoval, { strict: false });
    await addChange(tenant.id, assetId, `now() + interval '2 years'`);
    await addChange(tenant.id, assetId, `now() - interval '399 days'`);
    await addChange(tenant.id, assetId, `now() - interval '401 days'`);
    await removal.run();
    const rows = await query<{ part: string }>(
      'SELECT tableoid::regclass::text AS part FROM asset_changes WHERE asset_id = $1',
      [assetId],
    );
    expect(rows).toEqual([{ part: 'asset_changes_other' }, { part: 'asset_changes_other' }]);
    expect(await partitions()).toHaveLength(5);
    await removal.run();
    expect(await partitions()).toHaveLength(5);
  });

  it('of more than 400 days ago are not listed, although their month is kept', async () => {
    const fixture = await createAsset();
    await addChange(fixture.tenant.id, fixture.assetId, `now() - interval '399 days'`);
    await addChange(fixture.tenant.id, fixture.assetId, `now() - interval '401 days'`);
    const ofAsset = await fixture.admin.get(`/v1/assets/${fixture.assetId}/changes`);
    expect(ofAsset.body.changes).toHaveLength(1);
    const from = new Date(Date.now() - 500 * 86_400_000);
    const scope = Scope.organizations([fixture.tenant.id]);
    const kinds = await api.app.get(ObservedHosts).countChanges(scope, fixture.tenant.id, from);
    expect(kinds).toEqual([{ kind: 'port_opened', count: 1 }]);
  });

  const known = { hosts: [], addresses: [], hosting: null, watched: new Set([80]), isFirst: false };
  const store = ({ tenant, assetId }: Fixture, hosts: HostSeen[]) => {
    const look = { isName: false, addresses: [], hosting: null, hosts, watched: new Set([80]) };
    const organizationId = tenant.id;
    const audit = { actor: system, operation: 'asset.observe', resourceType: 'observation', organizationId } as const;
    const scope = Scope.organizations([organizationId]);
    const stores = api.app.get(LookStore, { strict: false });
    return api.app.get(UnitOfWork).run(audit, scope, () => stores.save({ organizationId, assetId }, known, look));
  };

  it('are at most 1,000 of an observation, which says so', async () => {
    const fixture = await createAsset();
    const hosts = Array.from({ length: 1_001 }, (_, at) => host(`10.0.${at >> 8}.${at % 256}`, port(80)));
    expect((await store(fixture, hosts)).note).toBe('Only the first 1000 changes are listed.');
    const rows = await query('SELECT count(*)::int FROM asset_changes WHERE asset_id = $1', [fixture.assetId]);
    expect(rows).toEqual([{ count: 1_000 }]);
  });

  it('are stored up to the limit by simultaneous looks, none of which fails', async () => {
    const fixture = await createAsset();
    const others = await Promise.all(Array.from({ length: 19 }, () => createAsset(fixture.tenant)));
    const looks = await withLimit('observed_hosts', 10, () =>
      Promise.all([fixture, ...others].map((one, at) => store(one, [host(`10.1.0.${at}`, port(80))]))),
    );
    expect(looks.filter(({ notStored }) => notStored === 0)).toHaveLength(10);
  });

  it('move from the default partition when the one of their month is added', async () => {
    const { tenant, assetId } = await createAsset();
    const [, , , last = ''] = await partitions();
    await query(`DROP TABLE ${last}`);
    await addChange(tenant.id, assetId, `date_trunc('month', now()) + interval '3 months 5 days'`);
    await api.app.get(ObservationRemoval, { strict: false }).run();
    const rows = await query('SELECT tableoid::regclass::text AS part FROM asset_changes WHERE asset_id = $1', [
      assetId,
    ]);
    expect(rows).toEqual([{ part: last }]);
  });

  it('drops the partitions of more than 400 days ago', async () => {
    await query(
      `CREATE TABLE asset_changes_2020_01 PARTITION OF asset_changes FOR VALUES FROM ('2020-01-01Z') TO ('2020-02-01Z')`,
    );
    await api.app.get(ObservationRemoval, { strict: false }).run();
    expect(await partitions()).not.toContain('asset_changes_2020_01');
  });

  it('of another organization stay when an organization is purged, although rows of two partitions have the same place', async () => {
    const [own, other] = [await createAsset(), await createAsset()];
    for (let month = 0; month < 4; month++) {
      const seen = `date_trunc('month', now()) + interval '${month} months 5 days'`;
      for (const { tenant, assetId } of month % 2 === 0 ? [own, other] : [other, own])
        await addChange(tenant.id, assetId, seen);
    }
    const purge = api.app.get(PurgeRepository, { strict: false });
    const tables = await purge.tablesOfOrganizations();
    expect(tables.filter((table) => table.startsWith('asset_changes'))).toEqual(['asset_changes']);
    while ((await purge.removeBatch('asset_changes', own.tenant.id, 1)) > 0);
    const rows = await query<{ organization: number }>(
      'SELECT organization_id AS organization FROM asset_changes WHERE asset_id = ANY($1)',
      [[own.assetId, other.assetId]],
    );
    expect(rows).toEqual(Array.from({ length: 4 }, () => ({ organization: other.tenant.id })));
  });
});
