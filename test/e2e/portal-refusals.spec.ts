import { useApi, useWorker } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { signedInAs, usePortal } from '../support/portal';
import { type RefusedFinding, refusedFindings } from '../support/refused-findings';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const api = useApi(engine);
const portal = usePortal(api);
useWorker(engine);
const make = new Factories(api);
const { refused, retest, job, copyOf } = refusedFindings(make, site);

beforeAll(() => site.start());
afterAll(() => site.stop());
beforeEach(() => {
  site.state = 'exposed';
});

const REASON = 'The server denies all files that begin with a dot.';
const CONFIRM = 'Confirm that this refusal is the fix';
const API_WORDS = /PUT |\/v1\/|since version|docs\/|not allowed/;

/** The text of a page as people read it. */
const shown = (html: string): string =>
  (/<main [^>]*>([^]*)<\/main>/.exec(html)?.[1] ?? '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&#39;', "'");

const pageOf = ({ tenant, id }: RefusedFinding): string => `/o/${tenant.id}/findings/${id}`;

async function blocked() {
  const fixture = await refused();
  site.state = 'refused';
  const { uuid } = await retest(fixture);
  const admin = await fixture.tenant.as('admin');
  return { ...fixture, uuid, admin, browser: await signedInAs(api, portal, admin), page: pageOf(fixture) };
}

it('the page of a blocked finding leads admins to the confirmation, and tells others who can confirm', async () => {
  const { tenant, page, browser } = await blocked();
  const html = (await browser.get(page)).text;
  expect(html).toContain(`<a class="button" href="${page}/baseline/refusal">${CONFIRM}</a>`);
  expect(shown(html)).not.toMatch(API_WORDS);
  const form = (await browser.get(`${page}/baseline/refusal`)).text;
  expect(form).toContain(`${CONFIRM}</h1>`);
  expect(/<nav class="breadcrumb"[^]*?<\/nav>/.exec(form)?.[0]).toContain(`href="${page}"`);
  expect(form).toContain('name="reason"');
  expect(form).not.toContain('name="applies_to"');
  const member = await signedInAs(api, portal, await tenant.as('member'));
  expect((await member.get(page)).text).toContain('An admin can confirm that this refusal is the fix.');
  for (const text of [(await member.get(page)).text, (await member.get(`${page}/baseline/refusal`)).text]) {
    expect(text).toContain(`/o/${tenant.id}/settings/members`);
    expect(text).not.toContain('name="reason"');
  }
  expect((await member.get(page)).text).not.toContain(CONFIRM);
});

it('a confirmed refusal replaces the blocked verdict, with name, time and reason', async () => {
  const fixture = await blocked();
  const { uuid, page, browser, admin, client } = fixture;
  const done = await browser.submit(`${page}/baseline/refusal`, `${page}/baseline/refusal`, {
    retest: uuid,
    reason: REASON,
  });
  expect(done.headers.get('location')).toBe(page);
  expect((await client.get(fixture.path)).body).toMatchObject({
    confirmed_refusal: { by: admin.userId, status: 403, reason: REASON },
  });
  const confirmed = (await browser.get(page)).text;
  const verdict = /<div class="verdict-part">[^]*?<div class="next">/.exec(confirmed)?.[0] ?? '';
  expect(verdict).toContain('Refusal confirmed');
  expect(verdict).toContain(REASON);
  expect(shown(`<main >${verdict}</main>`)).toMatch(/You confirmed just now that this refusal is the fix/);
  expect(verdict).toContain('Retests say “fixed by refusal” as long as');
  expect(verdict).not.toContain('does not show that the weakness is gone');
  expect(shown(confirmed)).toContain(
    `noted just now Confirmed that the refusal of GET /.git/HEAD with 403 is the fix: ${REASON}`,
  );
  expect(shown((await browser.get(`${page}/baseline`)).text)).toContain(REASON);

  await retest(fixture);
  const fixed = shown((await browser.get(page)).text);
  expect(fixed).toContain('Fixed by refusal');
  expect(fixed).toMatch(/: \S.* confirmed (just now|\d+ \w+ ago) that this refusal is the fix/);
  expect(fixed).not.toMatch(/user \d+ confirmed|\d\dT\d\d:/);
  expect(fixed).toMatch(/Retest: Fixed by refusal/);
  const { uuid: scan } = await job(fixture);
  const scanned = shown((await browser.get(`/o/${fixture.tenant.id}/scans/${scan}`)).text);
  expect(scanned.match(/Fixed by refusal/g)).toHaveLength(2);
  expect(scanned).not.toMatch(/user \d+ confirmed|Not found/);
  expect(shown((await browser.get(`/o/${fixture.tenant.id}/activity`)).text)).toContain('ended: fixed by refusal.');
  const list = (await browser.get(`/o/${fixture.tenant.id}/findings?open=false`)).text;
  expect(shown(list)).toContain('Fixed by refusal');
});

it('the form offers all findings of the origin that are refused alike, with their number', async () => {
  const one = await blocked();
  const other = await copyOf(one);
  await retest(other);
  const form = `${one.page}/baseline/refusal`;
  const html = (await one.browser.get(form)).text;
  expect(html).toContain('All findings of this origin refused alike (2)');
  expect(html).toContain(pageOf(other));
  await one.browser.submit(form, form, { retest: one.uuid, reason: REASON, applies_to: 'origin' });
  for (const finding of [one, other])
    expect(shown((await one.browser.get(pageOf(finding))).text)).toContain('Refusal confirmed');
  expect(shown((await one.browser.get(form)).text)).toContain(REASON);
  expect((await one.browser.get(form)).text).not.toContain('name="reason"');
});

it('a reason by the target names no user of another organization', async () => {
  const fixture = await blocked();
  const stranger = await (await make.organization()).as('owner');
  const at = new Date().toISOString();
  await query('UPDATE retests SET reason = $2 WHERE finding_id = $1', [
    fixture.id,
    `it says user ${stranger.userId} confirmed at ${at} that`,
  ]);
  const text = shown((await fixture.browser.get(fixture.page)).text);
  expect(text).toContain('It says an admin confirmed');
});

it('the gate of a blocked scan shows the fact, its meaning and the remedy separately, once and without words of the API', async () => {
  const fixture = await blocked();
  const { uuid, description } = await job(fixture);
  const [, reason = ''] =
    /"Git [^"]*": (.*? refused, which does not show that the weakness is gone)/.exec(description) ?? [];
  expect(reason).not.toBe('');
  expect(description.split(reason)).toHaveLength(2);
  const html = (await fixture.browser.get(`/o/${fixture.tenant.id}/scans/${uuid}`)).text;
  const gate = /<section[^>]*aria-labelledby="gate-title"[^]*?<\/section>/.exec(html)?.[0] ?? '';
  expect(gate).toContain('because of 1 finding of at least medium severity');
  expect(gate).toContain(`<li dir="auto"><a href="${fixture.page}">`);
  expect(gate).toContain('Blocked means that the site refuses');
  expect(gate).toMatch(
    new RegExp(`What to do</h3><ul[^>]*><li>Retest <a href="${fixture.page}">finding ${fixture.id}</a>`),
  );
  expect(shown(`<main >${gate}</main>`)).not.toMatch(API_WORDS);
  expect(gate.match(/which does not show that the weakness is gone/g)?.length).toBe(1);
});
