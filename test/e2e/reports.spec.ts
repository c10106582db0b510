import { asOperator } from '../../src/apps/cli/run-in-domain';
import { ReportsService, defaultReportOptions } from '../../src/modules/reports';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';

const api = useApi();
const make = new Factories(api);

async function eventOf({ id }: Tenant): Promise<number> {
  const [row] = await query<{ id: number }>(
    `INSERT INTO events (organization_id, name, slug, event_type, event_category, status, start_date, end_date)
     VALUES ($1, 'Test', 'test-' || md5(random()::text), 2, 1, 'draft', now(), now() + interval '1 day') RETURNING id`,
    [id],
  );
  return row?.id ?? 0;
}

async function reportOf(tenant: Tenant): Promise<{ id: number; eventId: number }> {
  const eventId = await eventOf(tenant);
  const id = await asOperator(api.app, { operation: 'report.create', resourceType: 'report' }, () =>
    api.app.get(ReportsService).create({
      organizationId: tenant.id,
      eventId,
      options: defaultReportOptions,
      startDate: new Date('2026-01-01T00:00:00Z'),
      endDate: new Date('2026-01-31T00:00:00Z'),
    }),
  );
  return { id, eventId };
}

it('the record of a report says what it will show, and that it is not there yet', async () => {
  const tenant = await make.organization();
  const { client } = await tenant.as('viewer');
  const { id, eventId } = await reportOf(tenant);
  const answer = await client.get(`/v1/reports/${id}/`);
  expect(answer.body).toEqual({
    id,
    generation_date: null,
    start_date: '2026-01-01T00:00:00.000Z',
    end_date: '2026-01-31T00:00:00.000Z',
    created: expect.any(String),
    options: defaultReportOptions,
    event_id: eventId,
    error: null,
  });
});

it('the list has every report of the caller once, newest first, and nobody else’s', async () => {
  const tenant = await make.organization();
  const foreign = await reportOf(await make.organization());
  const ids: number[] = [];
  for (let index = 0; index < 3; index++) ids.push((await reportOf(tenant)).id);
  const { client } = await tenant.as('viewer');
  const pages = await Promise.all([1, 2].map((page) => client.get(`/v1/reports/?per_page=2&page=${page}`)));
  expect(pages.flatMap(({ body }) => body.reports.map((report: { id: number }) => report.id))).toEqual(
    ids.toReversed(),
  );
  expect((await client.get(`/v1/reports/${foreign.id}/`)).text).toBe(
    (await client.get('/v1/reports/2147483647/')).text,
  );
});
