import { defaultReportOptions } from '../../src/modules/reports';
import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';

const api = useApi();
const make = new Factories(api);

const dates = { start_date: '2026-01-01T00:00:00Z', end_date: '2026-02-01T00:00:00Z' };

async function createFixture(tenant?: Tenant): Promise<{ client: Client; path: string; tenant: Tenant }> {
  const organization = tenant ?? (await make.organization());
  const { slug } = await make.event(organization.id, dates);
  const { client } = await organization.as('member');
  return { client, path: `/v1/events/${slug}/reports/`, tenant: organization };
}

const readOf = async (client: Client, id: number) => (await client.get(`/v1/reports/${id}/`)).body;

describe('requesting a report', () => {
  it('creates a record with its options and a pending status', async () => {
    const { client, path, tenant } = await createFixture();
    const answer = await client.post(path, { options: { format: 'csv', statuses: [1, 2] } });
    expect([answer.status, answer.headers.get('location')]).toEqual([202, `/v1/reports/${answer.body.id}/`]);
    expect(answer.body).toMatchObject({ code: 202, success: true, id: expect.any(Number) });
    expect(await readOf(client, answer.body.id)).toEqual({
      id: answer.body.id,
      generation_date: null,
      start_date: '2026-01-01T00:00:00.000Z',
      end_date: '2026-02-01T00:00:00.000Z',
      created: expect.any(String),
      options: { ...defaultReportOptions, format: 'csv', statuses: [1, 2] },
      subject: 'event',
      organization_id: tenant.id,
      event_id: expect.any(Number),
      job_uuid: null,
      error: null,
      notice: null,
    });
  });

  it.each([
    [undefined, {}, ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']],
    [{}, {}, ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']],
    [{ options: null, start_date: null }, {}, ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']],
    [
      { options: {}, start_date: '2025-06-01', end_date: '2025-06-30' },
      {},
      ['2025-06-01T00:00:00.000Z', '2025-06-30T23:59:59.999Z'],
    ],
    [{ options: { sections: ['scope'] } }, { sections: ['scope'] }, expect.anything()],
  ])('accepts %j', async (body, options, period) => {
    const { client, path } = await createFixture();
    const { id } = (await client.post(path, body)).body;
    const report = await readOf(client, id);
    expect(report.options).toEqual({ ...defaultReportOptions, ...options });
    expect([report.start_date, report.end_date]).toEqual(period);
  });

  it.each([
    [
      { options: { format: 'doc' } },
      'options.format must be one of: pdf, html, json, csv, sarif, vex, csaf, gitlab, junit',
    ],
    [
      { options: { colour: 'red', sections: [] } },
      '"colour" is not a field of options; known fields: first_findings, left_out_findings',
    ],
    [{ options: [] }, 'options must be an object'],
    [{ options: 'pdf' }, 'options must be an object'],
    [{ format: 'pdf' }, '"format" is not a field'],
    [{ start_date: '2026-01-02', end_date: '2026-01-01' }, 'start_date must be before end_date'],
    [{ start_date: '2026-02-01T00:00:00Z' }, 'start_date must be before end_date'],
    [{ start_date: 'yesterday' }, 'start_date must be an ISO 8601 date-time'],
  ])('refuses %j', async (body, sentence) => {
    const { client, path } = await createFixture();
    const answer = await client.post(path, body);
    expect([answer.status, answer.body.description]).toEqual([400, expect.stringContaining(sentence)]);
  });

  it('validates the request before it looks for the event', async () => {
    const { client } = await createFixture();
    const body = { start_date: '2026-01-02', end_date: '2026-01-01' };
    expect((await client.post('/v1/events/nobody-000000/reports/', body)).status).toBe(400);
  });

  it('creates one report for a repeated request with an Idempotency-Key', async () => {
    const { client, path } = await createFixture();
    const once = { 'idempotency-key': 'report-1' };
    const [first, second] = [await client.post(path, {}, once), await client.post(path, {}, once)];
    expect([first.status, second.status, second.body.id]).toEqual([202, 202, first.body.id]);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect((await client.get('/v1/reports/')).body.reports).toHaveLength(1);
  });

  it('is recorded in the audit log, and so is its refusal', async () => {
    const { client, path, tenant } = await createFixture();
    const { id } = (await client.post(path, { options: { format: 'json' } })).body;
    await client.post(path, { options: { format: 'doc' } });
    const admin = await tenant.as('admin');
    const { audit_logs } = (await admin.client.get('/v1/audit-logs/?operation=report.create')).body;
    expect(
      audit_logs.map((entry: { status: string; resource_id: string }) => [entry.status, entry.resource_id]),
    ).toEqual([
      ['failure', ''],
      ['success', String(id)],
    ]);
    expect(audit_logs[1].metadata.options.format).toBe('json');
  });
});

describe('requesting a report of another subject', () => {
  const jobWith = async (tenant: Tenant, status: string): Promise<string> => {
    const [row] = await query<{ uuid: string }>(
      `INSERT INTO jobs (uuid, organization_id, url, status, created, finished)
       VALUES (gen_random_uuid(), $1, 'https://shop.example/', $2, '2026-01-01T00:00:00Z',
         CASE WHEN $2 IN ('FINISHED', 'ERROR', 'CANCELED') THEN '2026-01-01T00:01:00Z'::timestamptz END)
       RETURNING uuid`,
      [tenant.id, status],
    );
    return row?.uuid ?? '';
  };
  const auditOf = async (tenant: Tenant) =>
    (await (await tenant.as('admin')).client.get('/v1/audit-logs/?operation=report.create')).body.audit_logs[0];

  it('creates a report of a job with the period of the job, and lists it with its subject', async () => {
    const { client, tenant } = await createFixture();
    const job_uuid = await jobWith(tenant, 'FINISHED');
    const once = { 'idempotency-key': 'job-report-1' };
    const path = `/v1/jobs/${job_uuid}/reports/`;
    const answer = await client.post(path, { options: { format: 'junit' } }, once);
    expect([answer.status, answer.headers.get('location')]).toEqual([202, `/v1/reports/${answer.body.id}/`]);
    expect((await client.post(path, { options: { format: 'junit' } }, once)).body.id).toBe(answer.body.id);
    expect((await client.get('/v1/reports/')).body.reports).toEqual([
      expect.objectContaining({
        id: answer.body.id,
        subject: 'job',
        organization_id: tenant.id,
        job_uuid,
        event_id: null,
        start_date: '2026-01-01T00:00:00.000Z',
        end_date: '2026-01-01T00:01:00.000Z',
      }),
    ]);
    expect(await auditOf(tenant)).toMatchObject({ status: 'success', metadata: { job: job_uuid } });
  });

  it('creates a report of an organization, by default from its creation until now', async () => {
    const { client, tenant } = await createFixture();
    const path = `/v1/organizations/${tenant.id}/reports/`;
    const { id } = (await client.post(path, {})).body;
    const { created } =
      (await query<{ created: Date }>('SELECT created FROM organizations WHERE id = $1', [tenant.id]))[0] ?? {};
    const report = await readOf(client, id);
    expect(report).toMatchObject({
      subject: 'organization',
      organization_id: tenant.id,
      event_id: null,
      job_uuid: null,
      start_date: created?.toISOString(),
    });
    expect(Date.parse(report.end_date)).toBeGreaterThan(Date.parse(report.start_date));
    const stated = { start_date: '2026-01-01T00:00:00Z', end_date: '2026-02-01T00:00:00Z' };
    expect(await readOf(client, (await client.post(path, stated)).body.id)).toMatchObject({
      start_date: '2026-01-01T00:00:00.000Z',
      end_date: '2026-02-01T00:00:00.000Z',
    });
    expect(await auditOf(tenant)).toMatchObject({ status: 'success', metadata: { organization: tenant.id } });
  });

  it.each([
    ['PENDING', '5', 'The job is PENDING. Its report is available when it has ended'],
    ['IN_PROGRESS', '5', 'The job is IN_PROGRESS.'],
    ['CANCELED', null, 'The job was canceled'],
  ])('refuses a report of a job that is %s', async (status, retryAfter, sentence) => {
    const { client, tenant } = await createFixture();
    const answer = await client.post(`/v1/jobs/${await jobWith(tenant, status)}/reports/`, {});
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, retryAfter]);
    expect(answer.body.description).toContain(sentence);
  });

  it('refuses a period for a job, and the limit of unfinished reports counts all subjects', async () => {
    const { client, tenant, path } = await createFixture();
    const jobs = `/v1/jobs/${await jobWith(tenant, 'ERROR')}/reports/`;
    const refused = await client.post(jobs, { start_date: '2026-01-01' });
    expect([refused.status, refused.body.description]).toEqual([
      400,
      expect.stringContaining('"start_date" is not a field of this operation; known fields: options'),
    ]);
    const paths = [path, jobs, `/v1/organizations/${tenant.id}/reports/`];
    for (let index = 0; index < 20; index++) expect((await client.post(paths[index % 3] ?? path, {})).status).toBe(202);
    for (const each of paths) expect((await client.post(each, {})).status).toBe(422);
  });
});

it('the list returns every report of the caller once, newest first, and none of other organizations', async () => {
  const { client, path } = await createFixture();
  const foreign = await createFixture();
  const foreignId = (await foreign.client.post(foreign.path, {})).body.id;
  const ids: number[] = [];
  for (let index = 0; index < 3; index++) ids.push((await client.post(path, {})).body.id);
  const pages = await Promise.all([1, 2].map((page) => client.get(`/v1/reports/?per_page=2&page=${page}`)));
  expect(pages.flatMap(({ body }) => body.reports.map((report: { id: number }) => report.id))).toEqual(
    ids.toReversed(),
  );
  const nobodys = await client.get('/v1/reports/2147483647/');
  expect((await client.get(`/v1/reports/${foreignId}/`)).text).toBe(nobodys.text);
});
