import type { Role } from '../../src/kernel/role';
import { useApi } from '../support/api';
import type { Answer } from '../support/client';
import { query } from '../support/database';
import { Factories } from '../support/factories';

const api = useApi();
const make = new Factories(api);

interface Transition {
  readonly status: number;
  readonly previous_status: number | null;
}

const resultsOf = (answers: readonly Answer[], result: string): Answer[] =>
  answers.filter(({ body }) => body.result === result);

describe('updating the status of a finding', () => {
  it('changes it, records actor, time and comment in the history, and writes one audit entry', async () => {
    const tenant = await make.organization();
    const admin = await tenant.as('admin');
    const { id } = await make.finding(tenant.id);
    const answer = await admin.client.post(`/v1/findings/${id}/status`, { status: 3, comment: 'Looking into it.' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ result: 'updated', finding_id: String(id) });
    const { findings } = (await admin.client.get(`/v1/findings/${id}/`)).body;
    expect(findings[0]).toMatchObject({ status: 3, previous_status: 1 });

    const { history } = (await admin.client.get(`/v1/findings/${id}/history`)).body;
    const actor = { type: 'user', id: String(admin.userId) };
    expect(history).toEqual([
      {
        type: 'status_change',
        status: 3,
        previous_status: 1,
        actor,
        comment: 'Looking into it.',
        justification: null,
        by_agent: false,
        changes: [],
        created: expect.any(String),
        decided_at: null,
        edited: null,
        id: expect.stringMatching(/^\d+$/),
      },
      {
        type: 'recorded',
        status: 1,
        previous_status: null,
        actor: { type: 'system', id: 'system' },
        comment: null,
        justification: null,
        by_agent: false,
        changes: [],
        created: findings[0].created,
        decided_at: null,
        edited: null,
        id: expect.stringMatching(/^\d+$/),
      },
    ]);
    const log = (await admin.client.get(`/v1/audit-logs/?operation=finding.status_update`)).body;
    expect(log.total).toBe(1);
    expect(log.audit_logs[0]).toMatchObject({
      actor_id: String(admin.userId),
      operation_category: 'findings',
      resource_type: 'finding',
      resource_id: String(id),
      status: 'success',
      metadata: { from: 1, to: 3 },
    });
  });

  it('writes only the audit entry when the status is unchanged', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const { id } = await make.finding(tenant.id);
    await client.post(`/v1/findings/${id}/status`, { status: 6 });
    const again = { status: 6, comment: 'Really.', until: '2099-01-01T00:00:00Z' };
    const answer = await client.post(`/v1/findings/${id}/status`, again);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ result: 'unchanged', finding_id: String(id) });
    expect((await client.get(`/v1/findings/${id}/`)).body.findings[0]).toMatchObject({ status: 6, previous_status: 1 });
    expect((await client.get(`/v1/findings/${id}/history`)).body.history).toHaveLength(2);
    expect(await query('SELECT accepted_until FROM findings WHERE id = $1', [id])).toEqual([{ accepted_until: null }]);
    expect(
      (await client.get(`/v1/audit-logs/?resource_type=finding&resource_id=${id}&status=success`)).body.total,
    ).toBe(2);
  });

  it.each([6, 7, 9])('keeps the justification of status %i in the history and the audit log', async (status) => {
    const tenant = await make.organization();
    const { client } = await tenant.as('owner');
    const { id } = await make.finding(tenant.id);
    const justification = 'vulnerable_code_not_in_execute_path';
    const answer = await client.post(`/v1/findings/${id}/status`, { status, comment: 'Not called.', justification });
    expect(answer.body.result).toBe('updated');
    const again = { status, justification: 'component_not_present' };
    expect((await client.post(`/v1/findings/${id}/status`, again)).body.result).toBe('unchanged');
    await client.post(`/v1/findings/${id}/status`, { status: 1 });
    const { history } = (await client.get(`/v1/findings/${id}/history`)).body;
    expect(history).toMatchObject([
      { status: 1, justification: null },
      { status, comment: 'Not called.', justification },
      { type: 'recorded', justification: null },
    ]);
    const log = (await client.get(`/v1/audit-logs/?resource_type=finding&resource_id=${id}`)).body.audit_logs;
    expect(log.map(({ metadata }: { metadata: { justification?: string } }) => metadata.justification)).toEqual([
      undefined,
      'component_not_present',
      justification,
    ]);
  });

  it('refuses a transition that is not in the table and lists those that are', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const { id } = await make.finding(tenant.id);
    await client.post(`/v1/findings/${id}/status`, { status: 4 });
    const answer = await client.post(`/v1/findings/${id}/status`, { status: 6 });
    expect(answer.status).toBe(409);
    expect(answer.body.description).toBe(
      'The finding is 4 (ready_for_retest) and cannot become 6 (risk_accepted); it may become: 2 (accepted), 3 (in_progress), 5 (resolved).',
    );
    const log = (await client.get(`/v1/audit-logs/?resource_type=finding&resource_id=${id}&status=failure`)).body;
    expect(log.audit_logs).toMatchObject([{ metadata: { from: 4, to: 6, reason: 'conflict' } }]);
  });

  it.each([
    [undefined, 'status is missing: it must be one of: 1 (open), 2 (accepted)'],
    [{}, 'status is missing'],
    [{ status: '1' }, 'status must be one of: 1 (open)'],
    [{ status: null }, 'status must be one of'],
    [{ status: 0 }, 'status must be one of'],
    [{ status: 11 }, 'status must be one of'],
    [{ status: 1.5 }, 'status must be one of'],
    [{ status: 2, comment: 7 }, 'comment must be a string'],
    [{ status: 2, comment: 'x'.repeat(2_001) }, 'comment must be a string of at most 2000 characters'],
    [{ status: 2, until: '2099-01-01T00:00:00Z' }, 'until is only allowed with the status 6 (risk_accepted)'],
    [{ status: 6, until: '2020-01-01T00:00:00Z' }, 'until must be in the future'],
    [{ status: 6, until: 'tomorrow' }, 'until must be an ISO 8601 date-time'],
    [{ status: 6, until: 4_070_908_800 }, 'until must be an ISO 8601 date-time'],
    [{ status: 7, justification: 'unreachable' }, 'justification must be one of: component_not_present, '],
    ...[2, 5, 8, 10].map((status): [object, string] => [
      { status, justification: 'component_not_present' },
      'justification is only allowed with the statuses 6 (risk_accepted), 7 (false_positive), 9 (informative).',
    ]),
    [{ status: 2, severity: 'low' }, '"severity" is not a field'],
    [[], 'The body must be a JSON object'],
  ])(
    'refuses %j with a message, and records the refusal in the audit log of the organization',
    async (body, sentence) => {
      const tenant = await make.organization();
      const admin = await tenant.as('admin');
      await make.membership(admin.userId, (await make.organization()).id, 'admin');
      const { client } = await make.person(admin.userId);
      const { id } = await make.finding(tenant.id);
      const answer = await client.post(`/v1/findings/${id}/status`, body);
      expect(answer.status).toBe(400);
      expect(answer.body.description).toContain(sentence);
      const log = (await client.get(`/v1/audit-logs/?organization_id=${tenant.id}&resource_id=${id}&status=failure`))
        .body;
      expect(log.audit_logs).toMatchObject([{ operation: 'finding.status_update', metadata: { reason: 'invalid' } }]);
    },
  );

  it('reveals nothing about a finding of another organization, and records the attempt in the caller’s own log', async () => {
    const foreign = await make.finding((await make.organization()).id);
    const tenant = await make.organization();
    const { client } = await tenant.as('owner');
    const ids = [foreign.id, 2_147_483_647, 'abc'];
    const answers = await Promise.all(ids.map((id) => client.post(`/v1/findings/${id}/status`, { status: 2 })));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await client.get('/v1/audit-logs/?operation=finding.status_update&status=failure')).body.total).toBe(3);
    expect(await query('SELECT status FROM findings WHERE id = $1', [foreign.id])).toEqual([{ status: 1 }]);
  });
});

describe('permission to update the status of a finding', () => {
  it.each([
    ['viewer', 1, 2, 403],
    ['viewer', 1, 6, 403],
    ['member', 1, 2, 200],
    ['member', 1, 5, 200],
    ['member', 5, 1, 200],
    ['member', 1, 6, 403],
    ['member', 2, 8, 403],
    ['member', 6, 1, 403],
    ['member', 7, 1, 403],
    // The role is checked before the table of transitions.
    ['member', 5, 6, 403],
    ['member', 6, 6, 200],
    ['admin', 1, 6, 200],
    ['admin', 10, 1, 200],
    ['admin', 5, 6, 409],
    ['owner', 1, 7, 200],
  ] as const)('a %s who changes status %d to %d gets %d', async (role: Role, from, to, status) => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    await query('UPDATE findings SET status = $2 WHERE id = $1', [id, from]);
    const { client } = await tenant.as(role);
    expect((await client.post(`/v1/findings/${id}/status`, { status: to })).status).toBe(status);
  });

  it('belongs to an integrator in the organizations that it created', async () => {
    const { client, integratorId } = await make.integrator();
    const { id } = await make.finding((await make.organization({ integratorId })).id);
    expect((await client.post(`/v1/findings/${id}/status`, { status: 9 })).status).toBe(200);
    const log = (await client.get('/v1/audit-logs/?operation=finding.status_update')).body;
    expect(log.audit_logs).toMatchObject([{ actor_type: 'integrator', status: 'success' }]);
  });

  it('depends on the role in the finding’s own organization, whose audit log records the refusal', async () => {
    const [own, other] = [await make.organization(), await make.organization()];
    const { userId } = await own.as('admin');
    await make.membership(userId, other.id, 'viewer');
    const { client } = await make.person(userId);
    const { id } = await make.finding(other.id);
    const answer = await client.post(`/v1/findings/${id}/status`, { status: 2 });
    expect(answer.status).toBe(403);
    expect(answer.body.description).toBe(`This needs the role member or above in organization ${other.id}.`);
    const { client: admin } = await other.as('admin');
    const log = (await admin.get(`/v1/audit-logs/?resource_type=finding&resource_id=${id}&status=failure`)).body;
    expect(log.audit_logs).toMatchObject([{ actor_id: String(userId), metadata: { reason: 'forbidden' } }]);
  });

  it('is refused to a read-only or pipeline-only key', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    for (const scope of ['read', 'ci'] as const) {
      const { client } = await make.member(tenant.id, 'owner', { scopes: [scope] });
      expect((await client.post(`/v1/findings/${id}/status`, { status: 2 })).status).toBe(403);
    }
    expect((await make.anonymous().post(`/v1/findings/${id}/status`, { status: 2 })).status).toBe(401);
  });
});

describe('twenty simultaneous status updates', () => {
  it('to the same status make one change', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const { id } = await make.finding(tenant.id);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.post(`/v1/findings/${id}/status`, { status: 2 })),
    );
    expect(resultsOf(answers, 'updated')).toHaveLength(1);
    expect(resultsOf(answers, 'unchanged')).toHaveLength(19);
    expect((await client.get(`/v1/findings/${id}/history`)).body.history).toHaveLength(2);
  });

  it('to different statuses leave a consistent history', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const { id } = await make.finding(tenant.id);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => client.post(`/v1/findings/${id}/status`, { status: (index % 6) + 1 })),
    );
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const history: Transition[] = (await client.get(`/v1/findings/${id}/history?per_page=100`)).body.history;
    expect(history).toHaveLength(resultsOf(answers, 'updated').length + 1);
    expect(history.map(({ previous_status }) => previous_status)).toEqual([
      ...history.slice(1).map(({ status }) => status),
      null,
    ]);
    const { findings } = (await client.get(`/v1/findings/${id}/`)).body;
    expect(findings[0].status).toBe(history[0]?.status);
    expect((await client.get(`/v1/audit-logs/?operation=finding.status_update`)).body.total).toBe(20);
  });
});

describe('the history of a finding', () => {
  it('is in pages, newest first', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const { id } = await make.finding(tenant.id);
    for (const status of [2, 3, 4, 5, 1]) await client.post(`/v1/findings/${id}/status`, { status });
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => client.get(`/v1/findings/${id}/history?per_page=2&page=${page}`)),
    );
    const statuses = pages.map(({ body }) => body.history.map(({ status }: Transition) => status));
    expect(statuses).toEqual([[1, 5], [4, 3], [2, 1], []]);
    expect(pages[0]?.headers.get('link')).toContain('rel="next"');
    expect(pages[2]?.headers.get('link')).not.toContain('rel="next"');
  });
});

it('the statuses and priorities of findings are listed at /v1/enums', async () => {
  const { client } = await (await make.organization()).as('viewer');
  const { findings } = (await client.get('/v1/enums')).body;
  expect(findings.statuses[3]).toEqual({ number: 4, name: 'ready_for_retest', transitions: [2, 3, 5] });
  expect(findings.severities[6]).toEqual({ number: 6, name: 'cosmic' });
  expect(findings.priorities[0]).toEqual({ number: 1, severities: ['critical', 'cosmic'] });
});
