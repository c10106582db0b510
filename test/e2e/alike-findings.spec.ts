import { useApi } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { imported, whenOver } from '../support/imports';
import { runJob } from '../support/jobs';
import { useWorkerProcess } from '../support/processes';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = {
  EGRESS_ALLOW: site.endpoint,
  ENGINE_PROBE_SPREAD_MS: '20',
  ENGINE_REQUESTS_PER_SECOND: '1000',
};
const api = useApi(engine);
useWorkerProcess(engine);
const make = new Factories(api);
beforeAll(() => site.start());
afterAll(() => site.stop());
beforeEach(() => {
  site.state = 'vulnerable';
});

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly path: string;
  readonly assetId: number;
}

async function fixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const { id: assetId } = await make.asset(tenant.id, { value: site.url, type: 'url' });
  return { tenant, client, path: `/v1/organizations/${tenant.id}/imports`, assetId };
}

const CHECKS = { checks: ['missing-nosniff'] };

const nuclei = (severity: string): Blob =>
  new Blob(
    [
      JSON.stringify({
        'template-id': 'http-missing-security-headers',
        'matcher-name': 'x-content-type-options',
        info: { name: 'A missing header', severity },
        type: 'http',
        'matched-at': site.url,
      }),
    ],
    { type: 'application/octet-stream' },
  );

const listOf = async ({ client, tenant }: Fixture): Promise<Answer['body'][]> =>
  (await client.get(`/v1/organizations/${tenant.id}/findings/`)).body.findings;
const read = async ({ client }: Fixture, id: number): Promise<Answer['body']> =>
  (await client.get(`/v1/findings/${id}/`)).body.findings[0];
const notesOf = async ({ client }: Fixture, id: number): Promise<string[]> =>
  (await client.get(`/v1/findings/${id}/history`)).body.history.map(({ comment }: { comment: string }) => comment);
const countedOf = async ({ assetId }: Fixture): Promise<number[]> =>
  (await query<{ findings: number }>('SELECT findings FROM asset_totals WHERE asset_id = $1', [assetId])).map(
    ({ findings }) => findings,
  );

const seenIn = async (importId: number): Promise<number> => {
  const sightings = 'SELECT finding_id AS id FROM finding_sightings WHERE import_id = $1';
  const [seen] = await query<{ id: number }>(sightings, [importId]);
  return seen?.id ?? 0;
};

/** The finding of a job, and that of a file of which the same check confirms that it is there. */
async function both(severity: string, before?: (at: Fixture, id: number) => Promise<unknown>) {
  const at = await fixture();
  await runJob(at.client, site.url, CHECKS);
  const [own] = await listOf(at);
  await before?.(at, own.id);
  const { id: importId } = await imported(at, nuclei(severity));
  const id = await seenIn(importId);
  await eventually(async () => expect(await read(at, id)).toMatchObject({ verification: { result: 'confirmed' } }));
  return { at, own, id, importId };
}

describe('findings that one check has confirmed at one place', () => {
  it('become the older one, which says so, and can be separated again', async () => {
    const { at, own, id } = await both('low');
    await eventually(async () => expect((await read(at, id)).merged_into).toBe(own.id));
    expect((await listOf(at)).map((one) => one.id)).toEqual([own.id]);
    expect(await countedOf(at)).toEqual([1]);
    const reason = 'Its check has confirmed both at the same place.';
    expect(await notesOf(at, own.id)).toContain(`${reason} Merged into it: #${id}.`);
    expect(await notesOf(at, id)).toContain(`${reason} Merged into #${own.id}.`);
    const audit = await query(
      `SELECT count(*)::int AS entries FROM audit_logs WHERE organization_id = $1 AND operation = 'finding.merge_alike' AND status = 'success'`,
      [at.tenant.id],
    );
    expect(audit).toEqual([{ entries: 1 }]);
    const separated = await at.client.post(`/v1/findings/${own.id}/separate`, { finding_ids: [id] });
    expect(separated.status).toBe(200);
    expect((await listOf(at)).map((one) => one.id).toSorted()).toEqual([own.id, id].toSorted());
    expect(await countedOf(at)).toEqual([2]);
  });

  it('become the more severe one, with the earlier due date', async () => {
    const { at, own, id } = await both('high', (at, ownId) =>
      query(`UPDATE findings SET due_date = '2026-01-02' WHERE id = $1 AND organization_id = $2`, [
        ownId,
        at.tenant.id,
      ]),
    );
    await eventually(async () => expect((await read(at, own.id)).merged_into).toBe(id));
    expect(await read(at, id)).toMatchObject({ severity: 'high', due_date: '2026-01-02' });
  });

  it('are one finding as well if the file comes before the job', async () => {
    const at = await fixture();
    await imported(at, nuclei('low'));
    const [first] = await listOf(at);
    await eventually(async () =>
      expect(await read(at, first.id)).toMatchObject({ verification: { result: 'confirmed' } }),
    );
    await runJob(at.client, site.url, CHECKS);
    await eventually(async () => expect(await listOf(at)).toHaveLength(1));
    const [{ id } = { id: 0 }] = await query<{ id: number }>(
      'SELECT id FROM findings WHERE asset_id = $1 AND id <> $2',
      [at.assetId, first.id],
    );
    const [one, other] = [await read(at, first.id), await read(at, id)];
    expect([one.merged_into, other.merged_into].filter((main) => main !== null)).toHaveLength(1);
  });

  it('stay beside those of other checks there', async () => {
    const at = await fixture();
    await runJob(at.client, site.url, { checks: ['missing-nosniff', 'missing-frame-protection'] });
    const before = (await listOf(at)).map(({ id }) => id);
    expect(before).toHaveLength(2);
    const { id: importId } = await imported(at, nuclei('low'));
    const id = await seenIn(importId);
    await eventually(async () => expect((await read(at, id)).merged_into).not.toBeNull());
    expect((await listOf(at)).map((one) => one.id).toSorted()).toEqual(before.toSorted());
  });

  it.each([6, 7, 8, 9, 10])('stay two, and say so, if people have set one to the status %i', async (status) => {
    const { at, own, id } = await both('high', async (at, ownId) => {
      const change = { status, comment: 'Decided.' };
      expect((await at.client.post(`/v1/findings/${ownId}/status`, change)).status).toBe(200);
    });
    const note = `Its check has confirmed #${own.id} at the same place: merge them if they are one weakness.`;
    await eventually(async () => expect(await notesOf(at, id)).toContain(note));
    expect([(await read(at, id)).merged_into, (await read(at, own.id)).merged_into]).toEqual([null, null]);
  });

  it('do not keep the import from being undone, which removes its finding', async () => {
    const { at, own, id, importId } = await both('low');
    await eventually(async () => expect((await read(at, id)).merged_into).toBe(own.id));
    expect((await at.client.post(`/v1/imports/${importId}/undo`)).status).toBe(202);
    expect(await whenOver(at.client, importId)).toMatchObject({ status: 'UNDONE', removed: 1, kept: 0 });
    expect((await listOf(at)).map((one) => one.id)).toEqual([own.id]);
    expect(await countedOf(at)).toEqual([1]);
    const seen = await query('SELECT times_seen AS times FROM findings WHERE id = $1', [own.id]);
    expect(seen).toEqual([{ times: 1 }]);
  });
});
