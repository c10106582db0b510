import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { statementsOf } from '../support/statements';

const api = useApi();
const make = new Factories(api);

const BULK = '/v1/findings/bulk';

const findingsOf = async (organizationId: number, count: number): Promise<number[]> => {
  const ids: number[] = [];
  for (let number = 0; number < count; number++) ids.push((await make.finding(organizationId)).id);
  return ids;
};

const entriesOf = (organizationId: number, operation: string) =>
  query<{ resource_id: string; status: string }>(
    'SELECT resource_id, status FROM audit_logs WHERE organization_id = $1 AND operation = $2 ORDER BY id',
    [organizationId, operation],
  );

describe('POST /v1/findings/bulk', () => {
  it('gives each finding the justification of the status', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const finding_ids = await findingsOf(tenant.id, 2);
    const justification = 'component_not_present';
    const refused = await client.post(BULK, { finding_ids, action: { status: 10, justification } });
    expect(refused.body).toMatchObject({ changed: 0, results: [{ status: 400 }, { status: 400 }] });
    await client.post(BULK, { finding_ids, action: { status: 7, justification } });
    const rows = await query('SELECT justification FROM finding_history WHERE finding_id = ANY($1) AND status = 7', [
      finding_ids,
    ]);
    expect(rows).toEqual([{ justification }, { justification }]);
  });

  it('changes each finding that allows it, refuses the others with the reason, and audits each of them', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const [open = 0, resolved = 0, accepted = 0] = await findingsOf(tenant.id, 3);
    await query('UPDATE findings SET status = 5 WHERE id = $1', [resolved]);
    await query('UPDATE findings SET status = 6 WHERE id = $1', [accepted]);
    const { id: foreign } = await make.finding((await make.organization()).id);
    const finding_ids = [resolved, foreign, open, accepted, 2_147_483_647];
    const answer = await client.post(BULK, { finding_ids, action: { status: 2, comment: 'Ours.' } });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        changed: 1,
        refused: 4,
        results: [
          { finding_id: resolved, status: 409, error: expect.stringContaining('5 (resolved) and cannot become 2') },
          { finding_id: foreign, status: 404, error: expect.any(String) },
          { finding_id: open, status: 200, error: null },
          { finding_id: accepted, status: 403, error: expect.stringContaining('role admin') },
          { finding_id: 2_147_483_647, status: 404, error: expect.any(String) },
        ],
      },
    ]);
    const [, one, , , other] = answer.body.results;
    expect(one.error).toBe(other.error);
    const statuses = await query('SELECT status FROM findings WHERE organization_id = $1 ORDER BY id', [tenant.id]);
    expect(statuses).toEqual([{ status: 2 }, { status: 5 }, { status: 6 }]);
    const { history } = (await client.get(`/v1/findings/${open}/history`)).body;
    expect(history[0]).toMatchObject({ type: 'status_change', comment: 'Ours.' });
    expect(await entriesOf(tenant.id, 'finding.status_update')).toEqual([
      { resource_id: String(resolved), status: 'failure' },
      { resource_id: String(foreign), status: 'failure' },
      { resource_id: String(open), status: 'success' },
      { resource_id: String(accepted), status: 'failure' },
      { resource_id: '2147483647', status: 'failure' },
    ]);
  });

  it('assigns, sets due dates, adds and removes labels, and comments', async () => {
    const tenant = await make.organization();
    const { client, userId } = await tenant.as('member');
    const finding_ids = await findingsOf(tenant.id, 2);
    await client.patch(`/v1/findings/${finding_ids[0]}/`, { labels: ['old', 'kept'] });
    const change = { assignee_id: userId, due_date: '2030-01-31', add_labels: ['New'], remove_labels: ['OLD'] };
    expect((await client.post(BULK, { finding_ids, action: change })).body).toMatchObject({ changed: 2, refused: 0 });
    const read = async (id: number | undefined) => (await client.get(`/v1/findings/${id}/`)).body.findings[0];
    const same = { assignee_id: userId, due_date: '2030-01-31' };
    expect(await read(finding_ids[0])).toMatchObject({ ...same, labels: ['kept', 'new'] });
    expect(await read(finding_ids[1])).toMatchObject({ ...same, labels: ['new'] });
    await client.post(BULK, { finding_ids, action: { assignee_id: null, due_date: null } });
    expect(await read(finding_ids[0])).toMatchObject({ assignee_id: null, due_date: null, labels: ['kept', 'new'] });
    await client.post(BULK, { finding_ids, action: { comment: 'All of them.' } });
    for (const id of finding_ids)
      expect((await client.get(`/v1/findings/${id}/history`)).body.history[0]).toMatchObject({
        type: 'comment',
        comment: 'All of them.',
      });
    const labels = Array.from({ length: 19 }, (_, at) => `l${at}`);
    await client.patch(`/v1/findings/${finding_ids[1]}/`, { labels });
    const full = await client.post(BULK, { finding_ids, action: { add_labels: ['a', 'b'] } });
    expect(full.body.results.map(({ status }: { status: number }) => status)).toEqual([200, 400]);
  });

  it('starts retests up to the limit of the organization, and answers 422 for those beyond it', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const finding_ids = await findingsOf(tenant.id, 3);
    await query(
      `WITH others AS (
         INSERT INTO findings (organization_id, asset_value, title, severity, priority, fingerprint)
         SELECT $1, 'example.com', 'Other ' || n, 2, 3, decode(md5(n::text), 'hex') FROM generate_series(1, 198) n RETURNING id)
       INSERT INTO retests (uuid, organization_id, finding_id) SELECT gen_random_uuid(), $1, id FROM others`,
      [tenant.id],
    );
    const answer = await client.post(BULK, { finding_ids, action: { retest: true } });
    expect(answer.body).toMatchObject({
      changed: 2,
      refused: 1,
      results: [
        { status: 200 },
        { status: 200 },
        { status: 422, error: expect.stringContaining('200 retests of this organization are unfinished') },
      ],
    });
    expect((await entriesOf(tenant.id, 'retest.start')).filter(({ status }) => status === 'success')).toHaveLength(2);
  });

  it('applies a request once when it is repeated with its Idempotency-Key', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const finding_ids = await findingsOf(tenant.id, 2);
    const send = () =>
      client.post(BULK, { finding_ids, action: { comment: 'Once.' } }, { 'Idempotency-Key': `bulk-${tenant.id}` });
    const [first, second] = [await send(), await send()];
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    expect((await client.get(`/v1/findings/${finding_ids[0]}/history`)).body.history).toHaveLength(2);
  });

  it('needs the same number of statements for each finding', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const ids = await findingsOf(tenant.id, 12);
    const count = async (finding_ids: number[]): Promise<number> =>
      (await statementsOf(() => client.post(BULK, { finding_ids, action: { status: 3 } }))).length;
    await count(ids.slice(0, 1));
    const one = await count(ids.slice(1, 2));
    expect((await count(ids.slice(2))) - one).toBe(9 * 4);
  });

  it.each<[string, object]>([
    ['no findings', { finding_ids: [], action: { retest: true } }],
    ['501 findings', { finding_ids: Array.from({ length: 501 }, (_, at) => at + 1), action: { retest: true } }],
    ['a finding twice', { finding_ids: [1, 1], action: { retest: true } }],
    ['an id that is a text', { finding_ids: ['1'], action: { retest: true } }],
    ['no action', { finding_ids: [1] }],
    ['an empty action', { finding_ids: [1], action: {} }],
    ['two actions', { finding_ids: [1], action: { retest: true, status: 2 } }],
    ['an action with an unknown field', { finding_ids: [1], action: { delete: true } }],
    ['a status that does not exist', { finding_ids: [1], action: { status: 11 } }],
    ['a label with a control character', { finding_ids: [1], action: { add_labels: ['a\u0000'] } }],
  ])('refuses %s', async (_name, body) => {
    const { client } = await (await make.organization()).as('member');
    expect((await client.post(BULK, { ...body })).status).toBe(400);
  });

  it('needs the role of a member, in the organization of each finding', async () => {
    const [own, other] = [await make.organization(), await make.organization()];
    const viewer = await own.as('viewer');
    const { id } = await make.finding(own.id);
    const body = { finding_ids: [id], action: { status: 2 } };
    expect((await viewer.client.post(BULK, body)).status).toBe(403);
    await make.membership(viewer.userId, other.id, 'owner');
    expect((await viewer.client.post(BULK, body)).body.results).toMatchObject([{ finding_id: id, status: 403 }]);
  });
});
