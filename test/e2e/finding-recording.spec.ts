import { randomUUID } from 'node:crypto';
import { randomBytes } from 'node:crypto';
import { type AssetTotals, type FindingDraft, FindingsService } from '../../src/modules/findings';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';

const api = useApi();
const make = new Factories(api);

interface Row {
  readonly times_seen: number;
  readonly status: number;
  readonly md: string | null;
  readonly asset_id: number | null;
  readonly priority: number;
  readonly last_seen: Date;
  readonly created: Date;
}

async function rowOf(id: number): Promise<Row> {
  const [row] = await query<Row>('SELECT * FROM findings WHERE id = $1', [id]);
  if (row === undefined) throw new Error(`there is no finding ${id}`);
  return row;
}

async function createAsset(tenant: Tenant, value = 'www.example.com'): Promise<FindingDraft['asset'] & { id: number }> {
  const rows = await query<{ id: number }>(
    `INSERT INTO assets (organization_id, value, type) VALUES ($1, $2, 'domain') RETURNING id`,
    [tenant.id, value],
  );
  return { id: rows[0]?.id ?? 0, value, beaconId: null, tier: null };
}

const totalsOf = async (assetId: number): Promise<AssetTotals | undefined> =>
  (await api.app.get(FindingsService).totalsOf([assetId])).get(assetId);

const outcomes = (recorded: { outcome: string }[]): Record<string, number> =>
  Object.fromEntries(
    ['created', 'seen_again', 'reopened'].map((outcome) => [
      outcome,
      recorded.filter((one) => one.outcome === outcome).length,
    ]),
  );

const twentyTimes = <T>(work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 20 }, (_, index) => work(index)));

describe('recording a finding', () => {
  it('creates it once; recording it again keeps what was written first', async () => {
    const tenant = await make.organization();
    const first = await make.record(tenant.id, { title: 'Weak  TLS', md: 'first', severity: 'high' });
    expect(first.outcome).toBe('created');
    expect(first.finding).toMatchObject({ status: 1, severity: 4, priority: 2, html: '<p>first</p>\n' });
    const second = await make.record(tenant.id, { title: ' WEAK tls', md: 'second', severity: 'low' });
    expect(second.outcome).toBe('seen_again');
    expect(second.finding).toMatchObject({ id: first.finding.id, md: 'first', severity: 4, title: 'Weak  TLS' });
    const row = await rowOf(first.finding.id);
    expect(row).toMatchObject({ times_seen: 2, md: 'first' });
    expect(row.last_seen.getTime()).toBeGreaterThan(row.created.getTime());
  });

  it('keeps its priority while it has no asset', async () => {
    const tenant = await make.organization();
    const asset = { id: null, value: 'elsewhere.example.com', tier: null };
    const { finding } = await make.record(tenant.id, { title: 'Elsewhere', severity: 'low', asset });
    const again = await make.record(tenant.id, { title: 'Elsewhere', severity: 'low', asset: { ...asset, tier: 1 } });
    expect(again.finding).toMatchObject({ id: finding.id, assetId: null, priority: finding.priority });
  });

  it('distinguishes findings by organization, asset and fingerprint, and not by event', async () => {
    const [tenant, other] = [await make.organization(), await make.organization()];
    const [event] = await query<{ id: number }>(
      `INSERT INTO events (organization_id, name, slug, event_type, event_category, status, start_date, end_date)
       VALUES ($1::int, 'Event', 'event-of-' || $1::text, 2, 1, 'running', now(), now() + interval '1 day') RETURNING id`,
      [tenant.id],
    );
    const draft = { title: 'The same' };
    const all = [
      await make.record(tenant.id, draft),
      await make.record(other.id, draft),
      await make.record(tenant.id, { ...draft, asset: { id: null, value: 'example.org', tier: null } }),
      await make.record(tenant.id, { ...draft, fingerprint: 'ab'.repeat(32) }),
    ];
    expect(outcomes(all)).toEqual({ created: 4, seen_again: 0, reopened: 0 });
    const again = await make.record(tenant.id, { ...draft, eventId: event?.id ?? null });
    expect(again).toMatchObject({ outcome: 'seen_again', finding: { id: all[0]?.finding.id, eventId: null } });
  });

  it('recognizes the same finding on the longest allowed URL', async () => {
    const tenant = await make.organization();
    const value = `https://example.com/${randomBytes(1_014).toString('hex')}`;
    const draft = { title: 'Far down', asset: { id: null, value, tier: null } };
    expect([value.length, (await make.record(tenant.id, draft)).outcome]).toEqual([2_048, 'created']);
    expect((await make.record(tenant.id, draft)).outcome).toBe('seen_again');
  });

  it('reopens a resolved finding, and keeps every other status', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const draft = { title: 'Comes back' };
    const { id } = await make.finding(tenant.id, draft);
    for (const status of [2, 3, 4, 6, 7, 8, 9, 10]) {
      await query('UPDATE findings SET status = $2 WHERE id = $1', [id, status]);
      expect((await make.record(tenant.id, draft)).outcome).toBe('seen_again');
      expect((await rowOf(id)).status).toBe(status);
    }
    await query('UPDATE findings SET status = 5 WHERE id = $1', [id]);
    const { outcome, finding } = await make.record(tenant.id, draft);
    expect(outcome).toBe('reopened');
    expect(finding).toMatchObject({ id, status: 1, previousStatus: 5 });
    const { history } = (await client.get(`/v1/findings/${id}/history`)).body;
    expect(history).toHaveLength(2);
    expect(history[0]).toMatchObject({ status: 1, previous_status: 5, actor: { type: 'system' } });
  });

  it('refuses a severity that contradicts the score, and a deleted organization', async () => {
    const tenant = await make.organization();
    await expect(make.record(tenant.id, { severity: 'low', score: 9.8 })).rejects.toThrow('severity low contradicts');
    await expect(make.record(tenant.id, { requestedScore: 7.55 })).rejects.toThrow('requested_score must be a number');
    await query('UPDATE organizations SET deleted_at = now() WHERE id = $1', [tenant.id]);
    await expect(make.record(tenant.id)).rejects.toThrow('Organization not found.');
    expect(await query('SELECT 1 FROM findings WHERE organization_id = $1', [tenant.id])).toEqual([]);
  });

  it('links an asset that was deleted and created again to its findings', async () => {
    const tenant = await make.organization();
    const jobUuid = randomUUID();
    const asset = await createAsset(tenant);
    const { id } = await make.finding(tenant.id, { title: 'Stays', asset, jobUuid });
    await query('DELETE FROM assets WHERE id = $1', [asset.id]);
    expect(await rowOf(id)).toMatchObject({ asset_id: null });
    const again = { ...(await createAsset(tenant)), tier: 1 };
    expect((await make.record(tenant.id, { title: 'Stays', asset: again, jobUuid })).outcome).toBe('seen_again');
    expect(await rowOf(id)).toMatchObject({ asset_id: again.id, priority: 2, times_seen: 2 });
    expect(await totalsOf(again.id)).toMatchObject({ findings: 1, riskScore: '2.0' });
  });
});

describe('twenty simultaneous recordings of the same finding', () => {
  it('create one finding that was seen twenty times', async () => {
    const tenant = await make.organization();
    const asset = await createAsset(tenant);
    const recorded = await twentyTimes(() => make.record(tenant.id, { title: 'Race', severity: 'critical', asset }));
    expect(outcomes(recorded)).toEqual({ created: 1, seen_again: 19, reopened: 0 });
    expect(new Set(recorded.map(({ finding }) => finding.id)).size).toBe(1);
    expect(await rowOf(recorded[0]?.finding.id ?? 0)).toMatchObject({ times_seen: 20 });
    expect(await totalsOf(asset.id)).toMatchObject({ findings: 1, riskScore: '7.0' });
  });

  it('reopen a resolved finding once', async () => {
    const tenant = await make.organization();
    const asset = await createAsset(tenant);
    const { id } = await make.finding(tenant.id, { title: 'Back', asset });
    const { client } = await tenant.as('member');
    await client.post(`/v1/findings/${id}/status`, { status: 5 });
    expect(await totalsOf(asset.id)).toMatchObject({ findings: 1, riskScore: '0.0' });
    const recorded = await twentyTimes(() => make.record(tenant.id, { title: 'Back', asset }));
    expect(outcomes(recorded)).toEqual({ created: 0, seen_again: 19, reopened: 1 });
    expect((await client.get(`/v1/findings/${id}/history`)).body.history).toHaveLength(3);
    expect(await totalsOf(asset.id)).toMatchObject({ findings: 1, riskScore: '2.0' });
  });
});

describe('the totals of an asset', () => {
  it('are zero without findings', async () => {
    const asset = await createAsset(await make.organization());
    const totals = await api.app.get(FindingsService).totalsOf([asset.id, 2_147_483_647]);
    const open = { cosmic: 0, critical: 0, high: 0, medium: 0, low: 0 };
    expect([...totals]).toEqual([
      [asset.id, { findings: 0, open, riskScore: '0.0' }],
      [2_147_483_647, { findings: 0, open, riskScore: '0.0' }],
    ]);
  });

  it('follow each finding when it is opened, resolved, dismissed and reopened', async () => {
    const tenant = await make.organization();
    const asset = await createAsset(tenant);
    const { client } = await tenant.as('admin');
    const critical = await make.finding(tenant.id, { severity: 'critical', asset });
    await make.finding(tenant.id, { severity: 'low', asset });
    await make.finding(tenant.id, { severity: 'info', asset });
    const risks: (string | undefined)[] = [(await totalsOf(asset.id))?.riskScore];
    for (const status of [4, 5, 1, 6, 2, 7, 1]) {
      await client.post(`/v1/findings/${critical.id}/status`, { status });
      risks.push((await totalsOf(asset.id))?.riskScore);
    }
    expect(risks).toEqual(['7.2', '7.2', '0.5', '7.2', '0.5', '7.2', '0.5', '7.2']);
    expect((await totalsOf(asset.id))?.findings).toBe(3);
  });

  it('are correct when twenty findings are recorded and twenty others change status at the same time', async () => {
    const tenant = await make.organization();
    const asset = await createAsset(tenant);
    const { client } = await tenant.as('admin');
    const old = await Promise.all(
      (['high', 'low'] as const).map((severity) =>
        Promise.all(Array.from({ length: 10 }, () => make.finding(tenant.id, { severity, asset }))),
      ),
    );
    const updates = old
      .flat()
      .map(({ id }, index) => client.post(`/v1/findings/${id}/status`, { status: (index % 6) + 2 }));
    const records = twentyTimes((index) =>
      make.record(tenant.id, { severity: index % 2 === 0 ? 'cosmic' : 'medium', asset }),
    );
    expect((await Promise.all(updates)).map(({ status }) => status)).toEqual(old.flat().map(() => 200));
    expect(outcomes(await records)).toEqual({ created: 20, seen_again: 0, reopened: 0 });
    const [storedTotals] = await query(
      'SELECT findings, cosmic, critical, high, medium, low FROM asset_totals WHERE asset_id = $1',
      [asset.id],
    );
    const openCount = (severity: number) => `count(*) FILTER (WHERE status <= 4 AND severity = ${severity})::int`;
    const [countedTotals] = await query(
      `SELECT count(*)::int AS findings, ${openCount(6)} AS cosmic, ${openCount(5)} AS critical, ${openCount(4)} AS high,
         ${openCount(3)} AS medium, ${openCount(2)} AS low FROM findings WHERE asset_id = $1`,
      [asset.id],
    );
    expect(storedTotals).toEqual(countedTotals);
  });

  it('cause no error when the asset is deleted while its findings change status', async () => {
    const tenant = await make.organization();
    const asset = await createAsset(tenant);
    const { client } = await tenant.as('member');
    const findings = await twentyTimes(() => make.finding(tenant.id, { asset }));
    const deletion = query('DELETE FROM assets WHERE id = $1', [asset.id]);
    const answers = await Promise.all(
      findings.map(({ id }) => client.post(`/v1/findings/${id}/status`, { status: 5 })),
    );
    await deletion;
    expect(answers.map(({ status }) => status)).toEqual(findings.map(() => 200));
    expect(await query('SELECT 1 FROM asset_totals WHERE asset_id = $1', [asset.id])).toEqual([]);
    expect(await query('SELECT 1 FROM findings WHERE asset_id = $1', [asset.id])).toEqual([]);
  });
});
