import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';
import { type Browser, signedInAs, usePortal } from '../support/portal';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

const browserOf = async (tenant: Tenant, role: Parameters<Tenant['as']>[0]): Promise<Browser> =>
  signedInAs(api, portal, await tenant.as(role));

const plain = (html: string): string =>
  html
    .replace(/<style[^]*?<\/style>|<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

async function fixture() {
  const tenant = await make.organization();
  return { tenant, base: `/o/${tenant.id}/schedules`, browser: await browserOf(tenant, 'admin') };
}

const nightly = {
  name: 'Every night',
  what: 'retest',
  on: 'all',
  cron: '0 3 * * *',
  time_zone: 'Europe/Lisbon',
  jitter_minutes: '0',
  windows: 'Mo-Fr 00:00-06:00 Europe/Lisbon',
};

const newPage = (base: string, fields: Record<string, string>): string =>
  `${base}/new?${new URLSearchParams(fields).toString()}`;

describe('the pages of schedules', () => {
  it('show the next five runs before a schedule is saved, and the same ones after', async () => {
    const { base, browser } = await fixture();
    expect(plain((await browser.get(base)).text)).toContain('No schedules yet');
    const page = newPage(base, nightly);
    const timesIn = (html: string): string[] =>
      [
        ...(/Next runs[^]*?<ol[^>]*>([^]*?)<\/ol>/.exec(html)?.[1] ?? '').matchAll(
          /dateTime="([^"]*)"|datetime="([^"]*)"/gi,
        ),
      ].map(([, one, other]) => one ?? other ?? '');
    const runs = timesIn((await browser.get(page)).text);
    expect(runs).toHaveLength(5);
    const answer = await browser.submit(page, base);
    expect(answer.status).toBe(303);
    const one = answer.headers.get('location') ?? '';
    const { text } = await browser.get(one);
    expect(timesIn(text)).toEqual(runs);
    expect(plain(text)).toContain('It has not run yet.');
    expect(plain((await browser.get(base)).text)).toContain(
      'Every night Retest of open findings on everything 0 3 * * * (Europe/Lisbon), Mo-Fr 00:00-06:00 Europe/Lisbon',
    );
  });

  it.each([
    [{ cron: '0 25 * * *' }, 'cron is not an expression'],
    [{ windows: 'Mo-Fr 20-06 UTC' }, 'must be a start and an end'],
    [{ on: 'asset', asset: 'other.example.com' }, 'asset_id is missing'],
    [{ every_hours: '5' }, 'and not both'],
  ])('say what is wrong with %j', async (wrong, message) => {
    const { base, browser } = await fixture();
    const answer = await browser.get(newPage(base, { ...nightly, ...wrong }));
    expect(plain(answer.text)).toContain(message);
    expect(answer.text).not.toContain('Create the schedule');
  });

  it('change, pause, resume, confirm and delete a schedule', async () => {
    const { tenant, base, browser } = await fixture();
    const { value } = await make.asset(tenant.id);
    const created = await browser.submit(newPage(base, nightly), base);
    const one = created.headers.get('location') ?? '';
    const changed = { ...nightly, name: 'Scan', what: 'job', on: 'asset', asset: value, checks: 'missing-nosniff' };
    expect((await browser.submit(one, one, changed)).status).toBe(303);
    expect(plain((await browser.get(one)).text)).toContain(`What Scan On ${value}`);
    await browser.submit(one, `${one}/pause`);
    expect(plain((await browser.get(one)).text)).toContain('It is paused.');
    await browser.submit(one, `${one}/confirm`);
    expect(plain((await browser.get(one)).text)).not.toContain('It is paused.');
    await query(`UPDATE schedules SET confirm_by = now() + interval '3 days' WHERE organization_id = $1`, [tenant.id]);
    expect(plain((await browser.get(one)).text)).toContain('Its maker has left the organization.');
    await browser.submit(one, `${one}/confirm`);
    expect(plain((await browser.get(one)).text)).not.toContain('has left');
    expect((await browser.submit(one, `${one}/delete`)).headers.get('location')).toBe(base);
    expect((await browser.get(one)).status).toBe(404);
  });

  it('say what a run did, and why parts of it did not start', async () => {
    const { tenant, base, browser } = await fixture();
    const one = (await browser.submit(newPage(base, nightly), base)).headers.get('location') ?? '';
    await query(
      `INSERT INTO schedule_runs (uuid, organization_id, schedule_id, due, status, ended, parts, results, obstacles)
       VALUES (gen_random_uuid(), $1, $2, now(), 'partial', now(), 3, '{"fixed": 2, "refused": 1}',
         '[{"reason": "The domain is not verified: publish its TXT record.", "parts": 1}]')`,
      [tenant.id, Number(one.split('/').at(-1))],
    );
    expect(plain((await browser.get(one)).text)).toContain(
      '3 parts. Fixed: 2. Refused: 1. 1 part: The domain is not verified: publish its TXT record.',
    );
    expect((await browser.get(`/o/${tenant.id}`)).text).toContain('Runs that failed');
  });

  it('have no forms for members, and are closed to viewers', async () => {
    const { tenant, base, browser } = await fixture();
    const one = (await browser.submit(newPage(base, nightly), base)).headers.get('location') ?? '';
    const member = await browserOf(tenant, 'member');
    for (const page of [base, one, newPage(base, nightly)]) {
      const { status, text } = await member.get(page);
      expect(status).toBe(200);
      expect(text).not.toMatch(/<form[^>]*method="post"[^>]*schedules/);
    }
    const viewer = await browserOf(tenant, 'viewer');
    for (const page of [base, one]) expect((await viewer.get(page)).status).toBe(403);
    expect((await viewer.get(`/o/${tenant.id}`)).text).not.toContain(base);
  });
});

it('the home page shows what schedules do next and what they have done, and nothing without schedules', async () => {
  const { tenant, base, browser } = await fixture();
  const home = `/o/${tenant.id}`;
  expect((await browser.get(home)).text).not.toContain('id="schedules-title"');
  const soon = { name: 'Looks again', what: 'resolved_retest', on: 'all', resolved_days: '7', every_hours: '5' };
  const one = (await browser.submit(newPage(base, soon), base)).headers.get('location') ?? '';
  expect(plain((await browser.get(home)).text)).toContain('Next 24 hours Looks again');
  await query(
    `INSERT INTO schedule_runs (uuid, organization_id, schedule_id, due, status, ended, parts, results)
     VALUES (gen_random_uuid(), $1, $2, now(), 'finished', now(), 42, '{"fixed": 41, "still_vulnerable": 1}')`,
    [tenant.id, Number(one.split('/').at(-1))],
  );
  expect(plain((await browser.get(home)).text)).toContain('Stayed fixed: 41 of 42');
  const viewer = await browserOf(tenant, 'viewer');
  expect((await viewer.get(home)).text).not.toContain('Looks again');
});
