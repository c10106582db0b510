import { defaultReportOptions } from '../../src/modules/reports';
import { useApi } from '../support/api';
import type { Client } from '../support/client';
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
    const { client, path } = await createFixture();
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
      event_id: expect.any(Number),
      error: null,
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
    [{ options: { format: 'doc' } }, 'options.format must be one of: pdf, html, json, csv, sarif, vex'],
    [
      { options: { colour: 'red', sections: [] } },
      '"colour" is not a field of options; known fields: format, sections',
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
