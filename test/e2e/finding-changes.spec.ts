import { useApi, useWorker } from '../support/api';
import type { Answer } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';

const api = useApi();
useWorker();
const make = new Factories(api);

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const findingIn = ({ body }: Answer) => body.findings[0];
const idsIn = ({ body }: Answer): number[] => body.findings.map(({ id }: { id: number }) => id);

describe('changing a finding', () => {
  it('sets assignee, due date and labels, keeps the values of absent fields, and removes those that are null', async () => {
    const tenant = await make.organization();
    const member = await tenant.as('member');
    const { id } = await make.finding(tenant.id, { severity: 'low' });
    const path = `/v1/findings/${id}/`;
    expect(findingIn(await member.client.get(path))).toMatchObject({ assignee_id: null, due_date: inDays(180) });
    const changed = await member.client.patch(path, { assignee_id: member.userId, labels: [' PCI ', 'shop', 'pci'] });
    expect([changed.status, findingIn(changed)]).toEqual([
      200,
      expect.objectContaining({ assignee_id: member.userId, due_date: inDays(180), labels: ['pci', 'shop'] }),
    ]);
    expect(findingIn(await member.client.patch(path, { due_date: '2030-02-28' }))).toMatchObject({
      assignee_id: member.userId,
      due_date: '2030-02-28',
      labels: ['pci', 'shop'],
    });
    const cleared = { assignee_id: null, due_date: null, labels: [] };
    expect(findingIn(await member.client.patch(path, cleared))).toMatchObject(cleared);
    const rows = await query<{ metadata: { changes: object } }>(
      `SELECT metadata FROM audit_logs WHERE operation = 'finding.change' AND resource_id = $1 AND status = 'success' ORDER BY id`,
      [String(id)],
    );
    expect(rows.map(({ metadata }) => metadata.changes)).toEqual([
      { assignee_id: { from: null, to: member.userId }, labels: { from: [], to: ['pci', 'shop'] } },
      { due_date: { from: inDays(180), to: '2030-02-28' } },
      {
        assignee_id: { from: member.userId, to: null },
        due_date: { from: '2030-02-28', to: null },
        labels: { from: ['pci', 'shop'], to: [] },
      },
    ]);
  });

  it.each<[string, object, number, string]>([
    [
      'a user who is no member',
      { assignee_id: 2_147_483_647 },
      422,
      'assignee_id 2147483647 is not the id of a member',
    ],
    [
      'a date that does not exist',
      { due_date: '2026-02-30' },
      400,
      'due_date must be a date such as 2026-01-31, or null',
    ],
    ['a date with a time', { due_date: '2026-02-20T00:00:00Z' }, 400, 'due_date must be a date'],
    ['a label of 41 characters', { labels: ['x'.repeat(41)] }, 400, 'labels must have 1 to 40 characters each'],
    ['a blank label', { labels: ['  '] }, 400, 'labels must have 1 to 40 characters each'],
    ['a label with a line break', { labels: ['a\nb'] }, 400, 'without control characters'],
    ['21 labels', { labels: Array.from({ length: 21 }, (_, at) => `l${at}`) }, 400, 'labels must be at most 20'],
    ['labels that are not a list', { labels: 'pci' }, 400, 'labels must be a list of strings'],
    ['a field that does not exist', { assignee: 1 }, 400, '"assignee" is not a field'],
  ])('refuses %s, and changes nothing', async (_name, body, status, message) => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const { id } = await make.finding(tenant.id);
    const before = (await client.get(`/v1/findings/${id}/`)).body;
    const answer = await client.patch(`/v1/findings/${id}/`, { ...body });
    expect([answer.status, answer.body.description]).toEqual([status, expect.stringContaining(message)]);
    expect((await client.get(`/v1/findings/${id}/`)).body).toEqual(before);
  });

  it('refuses a user of another organization in the same way as a user who does not exist', async () => {
    const [tenant, other] = [await make.organization(), await make.organization()];
    const { client } = await tenant.as('member');
    const { id } = await make.finding(tenant.id);
    const { userId } = await other.as('owner');
    const answer = await client.patch(`/v1/findings/${id}/`, { assignee_id: userId });
    expect([answer.status, answer.body.description]).toEqual([
      422,
      `assignee_id ${userId} is not the id of a member of organization ${tenant.id}.`,
    ]);
  });

  it('leaves no removed user as the assignee, also if both happen at the same time', async () => {
    const tenant = await make.organization();
    const owner = await tenant.as('owner');
    const findings = [await make.finding(tenant.id), await make.finding(tenant.id), await make.finding(tenant.id)];
    for (let round = 0; round < 5; round++) {
      const { userId } = await tenant.as('member');
      const assignments = await Promise.all([
        ...findings.map(({ id }) => owner.client.patch(`/v1/findings/${id}/`, { assignee_id: userId })),
        owner.client.delete(`/v1/organizations/${tenant.id}/members/${userId}`),
      ]);
      expect(assignments.filter(({ status }) => status !== 200 && status !== 422)).toEqual([]);
      // A worker releases them.
      await eventually(async () => {
        const rows = await query('SELECT assignee_id FROM findings WHERE organization_id = $1', [tenant.id]);
        expect(rows).toEqual(findings.map(() => ({ assignee_id: null })));
      });
    }
  });
});

describe('a comment', () => {
  it('is part of the history, does not change the status, and leaves an audit entry', async () => {
    const tenant = await make.organization();
    const member = await tenant.as('member');
    const { id } = await make.finding(tenant.id);
    const answer = await member.client.post(`/v1/findings/${id}/comments/`, { comment: ' Waiting\nfor a patch. ' });
    const entry = {
      id: expect.stringMatching(/^\d+$/),
      justification: null,
      by_agent: false,
      decided_at: null,
      edited: null,
      type: 'comment',
      status: 1,
      previous_status: 1,
      actor: { type: 'user', id: String(member.userId) },
      comment: 'Waiting\nfor a patch.',
      changes: [],
      created: expect.any(String),
    };
    expect([answer.status, answer.body]).toEqual([201, entry]);
    const { history } = (await member.client.get(`/v1/findings/${id}/history`)).body;
    expect(history).toMatchObject([entry, { type: 'recorded' }]);
    expect(findingIn(await member.client.get(`/v1/findings/${id}/`))).toMatchObject({
      status: 1,
      previous_status: null,
    });
    const [audit] = await query(
      `SELECT status FROM audit_logs WHERE operation = 'finding.comment' AND resource_id = $1`,
      [String(id)],
    );
    expect(audit).toEqual({ status: 'success' });
    for (const comment of ['', '   ', 'x'.repeat(2_001)])
      expect((await member.client.post(`/v1/findings/${id}/comments/`, { comment })).status).toBe(400);
  });
});

describe('editing a comment', () => {
  it('is for its author only, and leaves a mark and an audit entry without the text', async () => {
    const tenant = await make.organization();
    const [author, other] = [await tenant.as('member'), await tenant.as('owner')];
    const { id } = await make.finding(tenant.id);
    const comment = (await author.client.post(`/v1/findings/${id}/comments/`, { comment: 'token=hunter2' })).body;
    const path = `/v1/findings/${id}/comments/${comment.id}/`;
    expect((await other.client.patch(path, { comment: 'Mine' })).status).toBe(403);
    const edited = await author.client.patch(path, { comment: 'Without it' });
    expect([edited.status, edited.body]).toEqual([
      200,
      { ...comment, comment: 'Without it', edited: expect.any(String) },
    ]);
    const [audit] = await query<{ metadata: object }>(
      `SELECT metadata FROM audit_logs WHERE operation = 'finding.comment_edit' AND resource_id = $1 AND status = 'success'`,
      [String(id)],
    );
    expect(audit?.metadata).toMatchObject({ comment_id: comment.id });
    expect(JSON.stringify(audit)).not.toContain('hunter2');
    for (const text of ['', 'x'.repeat(2_001), '>'.repeat(25)])
      expect((await author.client.patch(path, { comment: text })).status).toBe(400);
  });

  it('is possible for 15 minutes, and only for a comment of this finding', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const [one, another] = [await make.finding(tenant.id), await make.finding(tenant.id)];
    const { body } = await client.post(`/v1/findings/${one.id}/comments/`, { comment: 'Seen' });
    const answers = async () => [
      (await client.patch(`/v1/findings/${another.id}/comments/${body.id}/`, { comment: 'x' })).status,
      (await client.patch(`/v1/findings/${one.id}/comments/${body.id}/`, { comment: 'x' })).status,
    ];
    await query(`UPDATE finding_history SET created = created - interval '14 minutes 50 seconds' WHERE id = $1`, [
      body.id,
    ]);
    expect(await answers()).toEqual([404, 200]);
    await query(`UPDATE finding_history SET created = created - interval '20 seconds' WHERE id = $1`, [body.id]);
    expect(await answers()).toEqual([404, 409]);
    const [recorded] = await query<{ id: string }>(
      'SELECT id FROM finding_history WHERE finding_id = $1 AND NOT is_comment',
      [one.id],
    );
    expect((await client.patch(`/v1/findings/${one.id}/comments/${recorded?.id}/`, { comment: 'x' })).status).toBe(404);
  });
});

describe('filters and the order of due dates', () => {
  interface Listed {
    readonly tenant: Tenant;
    readonly slug: string;
    readonly ids: Record<'late' | 'soon' | 'none' | 'closed', number>;
  }

  async function listed(assignee: number | null, tenant: Tenant): Promise<Listed> {
    const { id: eventId, slug } = await make.event(tenant.id);
    const of = async (severity: string, check?: string) =>
      (await make.finding(tenant.id, { severity, eventId, ...(check !== undefined && { checkId: check }) })).id;
    const ids = {
      late: await of('high', 'exposed-git'),
      soon: await of('low'),
      none: await of('info'),
      closed: await of('critical'),
    };
    await query('UPDATE findings SET due_date = $2, assignee_id = $3, labels = $4 WHERE id = $1', [
      ids.late,
      inDays(-1),
      assignee,
      ['pci', 'shop'],
    ]);
    await query('UPDATE findings SET due_date = $2 WHERE id = $1', [ids.soon, inDays(0)]);
    await query('UPDATE findings SET due_date = $2, status = 5 WHERE id = $1', [ids.closed, inDays(-9)]);
    return { tenant, slug, ids };
  }

  it('are the same for an organization and an event, and can be combined', async () => {
    const tenant = await make.organization();
    const me = await tenant.as('viewer');
    const { slug, ids } = await listed(me.userId, tenant);
    // This finding is not in the event.
    const outside = await make.finding(tenant.id, { title: 'Outside' });
    const cases: readonly (readonly [string, readonly number[]])[] = [
      ['assignee=me', [ids.late]],
      [`assignee=${me.userId}`, [ids.late]],
      ['assignee=none', [ids.closed, ids.none, ids.soon]],
      ['assignee=2147483647', []],
      ['label=PCI', [ids.late]],
      [`label=${tenant.id}`, []],
      ['label=pci&assignee=none', []],
      ['check=exposed-git', [ids.late]],
      ['overdue=true', [ids.late]],
      ['overdue=false&status=1', [ids.none, ids.soon, ids.late]],
      [`due_before=${inDays(1)}`, [ids.soon, ids.late]],
      [`due_before=${inDays(1)}&overdue=true`, [ids.late]],
      [`due_before=${inDays(1)}&sort=due_date`, [ids.late, ids.soon]],
      ['sort=due_date', [ids.late, ids.soon, ids.closed, ids.none]],
      ['sort=due_date&status=1', [ids.late, ids.soon, ids.none]],
      ['sort=due_date&q=finding', [ids.late, ids.soon, ids.closed, ids.none]],
      ['assignee=none&sort=severity', [ids.closed, ids.soon, ids.none]],
    ];
    for (const [parameters, expected] of cases) {
      const inEvent = await me.client.get(`/v1/events/${slug}/findings/?${parameters}&count=true`);
      expect([parameters, idsIn(inEvent)]).toEqual([parameters, expected]);
      expect(inEvent.headers.get('x-total-count')).toBe(String(expected.length));
      const inOrganization = await me.client.get(`/v1/organizations/${tenant.id}/findings/?${parameters}`);
      expect([parameters, idsIn(inOrganization).filter((id) => id !== outside.id)]).toEqual([parameters, expected]);
    }
  });

  it('page by position, forwards and backwards', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    const { slug, ids } = await listed(null, tenant);
    for (const list of [`/v1/events/${slug}/findings/`, `/v1/organizations/${tenant.id}/findings/`]) {
      const pages: number[][] = [];
      let path = `${list}?sort=due_date&per_page=1`;
      let previous = '';
      while (path !== '') {
        const answer = await client.get(path);
        pages.push(idsIn(answer));
        const link = answer.headers.get('link') ?? '';
        path = /<([^>]+)>; rel="next"/.exec(link)?.[1] ?? '';
        previous = /<([^>]+)>; rel="prev"/.exec(link)?.[1] ?? '';
      }
      expect(pages).toEqual([[ids.late], [ids.soon], [ids.closed], [ids.none]]);
      expect(idsIn(await client.get(previous))).toEqual([ids.closed]);
    }
  });

  it.each([
    ['assignee=you', 'assignee must be the id of a user, me or none'],
    ['assignee=0', 'assignee must be the id'],
    ['assignee=99999999999', 'assignee must be the id'],
    ['label=%00', 'label must'],
    [`label=${'x'.repeat(41)}`, 'label must have 1 to 40'],
    ['overdue=yes', 'overdue must be true or false'],
    ['due_before=tomorrow', 'due_before must be a date'],
    ['sort=due', 'sort must be one of: severity, priority, due_date'],
  ])('refuse %s', async (parameters, message) => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    const answer = await client.get(`/v1/organizations/${tenant.id}/findings/?${parameters}`);
    expect([answer.status, answer.body.description]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('the SLA of an organization', () => {
  const slaOf = (tenant: Tenant) => `/v1/organizations/${tenant.id}/settings/sla`;
  const dueDates = async (tenant: Tenant): Promise<Record<string, string | null>> => {
    const rows = await query<{ title: string; due: string | null }>(
      'SELECT title, due_date::text AS due FROM findings WHERE organization_id = $1 ORDER BY title',
      [tenant.id],
    );
    return Object.fromEntries(rows.map(({ title, due }) => [title, due]));
  };

  it('sets the due date of new findings by their severity', async () => {
    const tenant = await make.organization();
    const admin = await tenant.as('admin');
    expect((await admin.client.get(slaOf(tenant))).body).toEqual({ critical: 7, high: 30, medium: 90, low: 180 });
    const changed = await admin.client.patch(slaOf(tenant), { critical: 1, low: null });
    expect([changed.status, changed.body]).toEqual([200, { critical: 1, high: 30, medium: 90, low: null }]);
    expect((await admin.client.get(slaOf(tenant))).body).toEqual(changed.body);
    for (const severity of ['none', 'info', 'low', 'medium', 'high', 'critical', 'cosmic'])
      await make.finding(tenant.id, { title: severity, severity });
    expect(await dueDates(tenant)).toEqual({
      none: null,
      info: null,
      low: null,
      medium: inDays(90),
      high: inDays(30),
      critical: inDays(1),
      cosmic: inDays(1),
    });
    const [entry] = await query<{ metadata: object }>(
      `SELECT metadata FROM audit_logs WHERE operation = 'settings.sla_change' AND organization_id = $1`,
      [tenant.id],
    );
    expect(entry?.metadata).toMatchObject({ from: { critical: 7, low: 180 }, to: { critical: 1, low: null } });
    for (const body of [{ high: 0 }, { high: 3_651 }, { high: 1.5 }, { cosmic: 1 }])
      expect((await admin.client.patch(slaOf(tenant), body)).status).toBe(400);
  });

  it('moves the due dates of each severity to those of new findings', async () => {
    const tenant = await make.organization();
    const admin = await tenant.as('admin');
    const severities = ['none', 'info', 'low', 'medium', 'high', 'critical', 'cosmic'];
    for (const severity of severities) await make.finding(tenant.id, { title: `old ${severity}`, severity });
    await admin.client.patch(slaOf(tenant), { critical: 1, high: 2, medium: 3, low: 4 });
    for (const severity of severities) await make.finding(tenant.id, { title: `new ${severity}`, severity });
    await eventually(async () => {
      const due = await dueDates(tenant);
      expect(severities.map((severity) => due[`old ${severity}`])).toEqual(
        severities.map((severity) => due[`new ${severity}`]),
      );
    });
  });

  it('moves the due dates of open findings when it changes, but not those that a person has set', async () => {
    const tenant = await make.organization();
    const admin = await tenant.as('admin');
    const ids: Record<string, number> = {};
    for (const title of ['open', 'by hand', 'without by hand', 'closed', 'reopened'])
      ids[title] = (await make.finding(tenant.id, { title, severity: 'high' })).id;
    await admin.client.patch(`/v1/findings/${ids['by hand']}/`, { due_date: '2040-01-01' });
    await admin.client.patch(`/v1/findings/${ids['without by hand']}/`, { due_date: null });
    await query('UPDATE findings SET status = 5, fixed_at = now() WHERE id = ANY($1)', [
      [ids['closed'], ids['reopened']],
    ]);
    await query(
      "UPDATE findings SET created = created - interval '100 days', due_date = due_date - 100 WHERE id = ANY($1)",
      [[ids['open'], ids['reopened']]],
    );
    await make.finding(tenant.id, { title: 'reopened', severity: 'high' });
    const before = { 'by hand': '2040-01-01', closed: inDays(30), 'without by hand': null };
    expect(await dueDates(tenant)).toEqual({ ...before, open: inDays(-70), reopened: inDays(30) });
    await admin.client.patch(slaOf(tenant), { high: 5 });
    await eventually(async () =>
      expect(await dueDates(tenant)).toEqual({ ...before, open: inDays(-95), reopened: inDays(5) }),
    );
    await eventually(async () =>
      expect(
        await query(`SELECT metadata FROM audit_logs WHERE operation = 'settings.sla_apply' AND organization_id = $1`, [
          tenant.id,
        ]),
      ).toMatchObject([{ metadata: { moved: 2 } }]),
    );
  });
});
