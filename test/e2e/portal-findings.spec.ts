import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { useApi, useWorker } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant, unique } from '../support/factories';
import { runJob } from '../support/jobs';
import { type Browser, signedInAs, usePortal } from '../support/portal';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const api = useApi(engine);
useWorker(engine);
const portal = usePortal(api);
const make = new Factories(api);

beforeAll(() => site.start());
afterAll(() => site.stop());

const browserOf = async (tenant: Tenant, role: Parameters<Tenant['as']>[0]): Promise<Browser> =>
  signedInAs(api, portal, await tenant.as(role));

/** The links with this text. */
const linksWith = (html: string, text: string): string[] =>
  [...html.matchAll(/<a[^>]* href="([^"]*)"[^>]*>([^]*?)<\/a>/g)]
    .filter(([, , content = '']) =>
      content
        .replace(/<[^>]*>/g, '')
        .trim()
        .startsWith(text),
    )
    .map(([, href = '']) => href.replaceAll('&amp;', '&'));

const linkWith = (html: string, text: string): string => {
  const [link] = linksWith(html, text);
  if (link === undefined) throw new Error(`no link "${text}"`);
  return link;
};

const titlesOf = (html: string): string[] =>
  [...html.matchAll(/<td class="title wide"[^>]*><a[^>]*>([^<]*)</g)].map(([, title = '']) => title);

describe('the list of findings', () => {
  it('says what to do next when there are none', async () => {
    const tenant = await make.organization();
    const { status, text } = await (await browserOf(tenant, 'viewer')).get(`/o/${tenant.id}/findings`);
    expect([status, text]).toEqual([200, expect.stringContaining('No findings yet')]);
    expect(text).toContain(`<a href="/o/${tenant.id}/imports">import the file of a scanner</a>`);
    expect(text).not.toContain('npm ');
  });

  it('leads through all pages and back, and shows the count', async () => {
    const tenant = await make.organization();
    const titles: string[] = [];
    for (let number = 0; number < 5; number++) titles.unshift((await make.finding(tenant.id)).title);
    const browser = await browserOf(tenant, 'viewer');
    const first = await browser.get(`/o/${tenant.id}/findings?per_page=2`);
    expect(first.text).toContain('<title>Findings (5) · Assay</title>');
    const second = await browser.get(linkWith(first.text, 'Next page'));
    const third = await browser.get(linkWith(second.text, 'Next page'));
    expect([first, second, third].flatMap(({ text }) => titlesOf(text))).toEqual(titles);
    expect(linksWith(third.text, 'Next page')).toEqual([]);
    expect(titlesOf((await browser.get(linkWith(third.text, 'Previous page'))).text)).toEqual(titles.slice(2, 4));
  });

  it('filters by status, severity, asset and text, sorts, and keeps the other filters in its links', async () => {
    const tenant = await make.organization();
    const { id, value } = await make.asset(tenant.id);
    const asset = { id, value, tier: null };
    const low = await make.finding(tenant.id, { title: 'A low one', severity: 'low' });
    const high = await make.finding(tenant.id, { title: 'A high one', severity: 'high' });
    const onAsset = await make.finding(tenant.id, { title: 'On the asset', severity: 'info', asset });
    await query('UPDATE findings SET status = 5 WHERE id = $1', [low.id]);
    const browser = await browserOf(tenant, 'viewer');
    const list = async (parameters: string): Promise<string[]> =>
      titlesOf((await browser.get(`/o/${tenant.id}/findings?${parameters}`)).text);
    expect(await list('status=5')).toEqual([low.title]);
    expect(await list('severity=medium')).toEqual([high.title]);
    expect(await list(`asset_id=${id}`)).toEqual([onAsset.title]);
    expect(await list('q=LOW+one')).toEqual([low.title]);
    expect(await list('sort=severity')).toEqual([high.title, low.title, onAsset.title]);
    const filtered = (await browser.get(`/o/${tenant.id}/findings?severity=low&q=one&status=1`)).text;
    expect(linkWith(filtered, 'Resolved')).toBe(`/o/${tenant.id}/findings?status=5&severity=low&q=one`);
    expect(linkWith(filtered, 'Search: one')).toBe(`/o/${tenant.id}/findings?status=1&severity=low`);
    expect((await browser.get(`/o/${tenant.id}/findings?q=nothing`)).text).toContain('No finding matches');
  });

  it('has a mark and a number for each belief, and says of what a scan has seen that it is vulnerable', async () => {
    const tenant = await make.organization();
    const list = `/o/${tenant.id}/findings`;
    const proved = await make.finding(tenant.id, { title: 'Seen by a scan', jobUuid: randomUUID() });
    const claims = [await make.finding(tenant.id), await make.finding(tenant.id)];
    await query(`UPDATE findings SET verification_reason = 'It waits.' WHERE id = ANY($1)`, [
      claims.map(({ id }) => id),
    ]);
    const browser = await browserOf(tenant, 'viewer');
    const { text } = await browser.get(list);
    const beliefs = /<p class="chips" role="group" aria-label="Belief">[^]*?<\/p>/.exec(text)?.[0] ?? '';
    expect(
      beliefs
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    ).toBe('Proved 1 Claimed 2');
    const rowOf = (title: string): string =>
      /<tr(?![^]*<tr)[^]*/.exec(text.slice(0, text.indexOf('</tr>', text.indexOf(`>${title}</a>`))))?.[0] ?? '';
    expect(rowOf(proved.title)).toMatch(/class="belief proved"[^]* Proved<[^]* Vulnerable</);
    expect(rowOf(claims[0]?.title ?? '')).toMatch(/class="belief claimed"[^]* Claimed<[^]*>Not retested</);
    const ofProved = linkWith(beliefs, 'Proved');
    const filtered = await browser.get(ofProved);
    expect(titlesOf(filtered.text)).toEqual([proved.title]);
    const [back = ''] = linksWith(filtered.text, 'Proved');
    expect(titlesOf((await browser.get(back)).text)).toHaveLength(3);
    // A search finds a page without all that matches, so nothing is counted.
    expect((await browser.get(`${list}?q=scan`)).text).toContain('</svg> Refuted</span> </a>');
    const page = (await browser.get(`${list}/${proved.id}`)).text;
    expect(page.replace(/<[^>]*>/g, ' ')).toMatch(/Belief\s+Proved\s+since \s+\d/);
  });

  it('counts the findings of each status, and refuses a filter that does not exist', async () => {
    const tenant = await make.organization();
    const [one] = [await make.finding(tenant.id), await make.finding(tenant.id), await make.finding(tenant.id)];
    await query('UPDATE findings SET status = 4 WHERE id = $1', [one.id]);
    const browser = await browserOf(tenant, 'viewer');
    const { text } = await browser.get(`/o/${tenant.id}/findings`);
    const tabs = text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    expect(tabs).toContain('Open 3 Risk accepted 0 Resolved 0 All');
    // The filter has the other statuses, also within the open ones.
    for (const list of ['status=4', 'open=true&status=4']) {
      const ready = await browser.get(`/o/${tenant.id}/findings?${list}`);
      expect(ready.text.match(/\/findings\/\d+"/g)?.every((link) => link.includes(`/${one.id}"`))).toBe(true);
      expect(ready.text).toContain('Status: Ready for retest');
    }
    const refused = await browser.get(`/o/${tenant.id}/findings?severity=worst`);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('severity must be one of')]);
  });

  it('opens with open findings, the most urgent first, each with the reason of its priority', async () => {
    const tenant = await make.organization();
    const { id, value } = await make.asset(tenant.id, { tier: 1 });
    const urgent = await make.finding(tenant.id, { severity: 'critical' });
    const jobUuid = randomUUID();
    const onTier = await make.finding(tenant.id, { severity: 'high', jobUuid, asset: { id, value, tier: 1 } });
    const low = await make.finding(tenant.id, { severity: 'low' });
    const fixed = await make.finding(tenant.id, { severity: 'critical' });
    await query('UPDATE findings SET status = 5 WHERE id = $1', [fixed.id]);
    const browser = await browserOf(tenant, 'viewer');
    const list = `/o/${tenant.id}/findings`;
    const { text } = await browser.get(list);
    expect(titlesOf(text)).toEqual([onTier.title, urgent.title, low.title]);
    const reason =
      'The severity high has the priority 2. The asset was of tier 1 when the finding was recorded: one step.';
    expect(text).toContain(
      `<span class="priority" title="${reason}">P1<span class="visually-hidden">. ${reason}</span>`,
    );
    expect(linkWith(text, 'All')).toBe(`${list}?open=false&sort=priority`);
    expect(titlesOf((await browser.get(`${list}?open=false&sort=priority`)).text)).toHaveLength(4);
    // A form sends its empty fields too, and the address is then without them.
    const sent = await browser.get(`${list}?open=true&severity=high&q=&sort=`);
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `${list}?severity=high&open=true`]);
  });

  it('is sorted by a click on the head of a column, which says so', async () => {
    const tenant = await make.organization();
    for (const severity of ['low', 'critical'] as const) await make.finding(tenant.id, { severity });
    const browser = await browserOf(tenant, 'viewer');
    const list = `/o/${tenant.id}/findings`;
    const sortedBy = (html: string): string[] =>
      [...html.matchAll(/<th scope="col" class="[^"]*" aria-sort="(\w+)"><a[^>]*>([^<]*)/g)].map(([, ...sort]) =>
        sort.join(' '),
      );
    const { text } = await browser.get(`${list}?severity=low`);
    const byDue = linkWith(text, 'Due');
    expect([sortedBy(text), byDue]).toEqual([[], `${list}?severity=low&open=false&sort=due_date`]);
    expect(sortedBy((await browser.get(byDue)).text)).toEqual(['ascending Due']);
    expect(sortedBy((await browser.get(list)).text)).toEqual(['ascending Priority']);
    expect(sortedBy((await browser.get(linksWith(text, 'Severity').at(-1) ?? '')).text)).toEqual([
      'descending Severity',
    ]);
  });

  it('keeps the columns and the density that a user has chosen, for this user alone', async () => {
    const tenant = await make.organization();
    await make.finding(tenant.id);
    const [browser, other] = [await browserOf(tenant, 'viewer'), await browserOf(tenant, 'viewer')];
    const list = `/o/${tenant.id}/findings`;
    const headsOf = async (of: Browser): Promise<string> => {
      const { text } = await of.get(`${list}?severity=low`);
      const [head = ''] = /<thead>[^]*?<\/thead>/.exec(text) ?? [];
      return (
        head.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ') +
        (text.includes('class="findings compact"') ? 'compact' : '')
      );
    };
    const before = ' Severity Priority Belief Finding Asset Status Last retest Due ';
    expect(await headsOf(browser)).toBe(before);
    const chosen: [string, string][] = [
      ['column', 'priority'],
      ['column', 'found'],
      ['compact', 'true'],
      ['query', 'severity=low'],
    ];
    const saved = await browser.submit(list, `${list}/columns`, chosen);
    expect([saved.status, saved.headers.get('location')]).toEqual([303, `${list}?severity=low`]);
    expect([await headsOf(browser), await headsOf(other)]).toEqual([' Priority Finding Found compact', before]);
    for (const [name, value] of [
      ['query', 'severity=worst'],
      ['column', 'html'],
    ] as const)
      expect((await browser.submit(list, `${list}/columns`, { [name]: value })).status).toBe(400);
    const elsewhere = `/o/${(await make.organization()).id}/findings`;
    const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get(list)).text)?.[1] ?? '';
    expect((await browser.post(`${elsewhere}/columns`, { csrf, column: 'found' })).status).toBe(404);
  });

  it('filters by the label of the asset, by what happened, and by the worst severity', async () => {
    const tenant = await make.organization();
    const { id, value } = await make.asset(tenant.id);
    await (await tenant.as('admin')).client.patch(`/v1/assets/${id}/`, { labels: ['shop'] });
    const labeled = await make.finding(tenant.id, { asset: { id, value, tier: null }, severity: 'high' });
    const other = await make.finding(tenant.id, { severity: 'critical' });
    await query(`UPDATE finding_history SET created = now() - interval '10 days' WHERE finding_id = $1`, [other.id]);
    const browser = await browserOf(tenant, 'viewer');
    const list = async (parameters: string): Promise<string[]> =>
      titlesOf((await browser.get(`/o/${tenant.id}/findings?${parameters}`)).text);
    expect(await list('asset_label=Shop')).toEqual([labeled.title]);
    expect(await list('asset_label=none')).toEqual([]);
    expect(await list('max_severity=high')).toEqual([labeled.title]);
    expect(await list('change=found')).toEqual([labeled.title]);
    const day = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    expect(await list(`change=found&since=${day(20)}&until=${day(5)}`)).toEqual([other.title]);
    expect(await list(`since=${day(20)}`)).toEqual([other.title, labeled.title]);
    const shown = (await browser.get(`/o/${tenant.id}/findings?asset_label=shop&since=${day(3)}`)).text;
    expect(linkWith(shown, 'Label of the asset: shop')).toBe(
      `/o/${tenant.id}/findings?since=${day(3)}T00%3A00%3A00.000Z`,
    );
    expect(linkWith(shown, `Found since ${day(3)}`)).toBe(`/o/${tenant.id}/findings?asset_label=shop`);
  });

  it('names the beacon where two hosts have the same address', async () => {
    const tenant = await make.organization();
    const beacon = await make.beacon(tenant.id);
    const value = '10.0.0.1';
    const asset = { id: null, value, tier: null };
    const fingerprint = { severity: 'high' } as const;
    await make.finding(tenant.id, { title: 'One', asset, ...fingerprint });
    await make.finding(tenant.id, { title: 'Two', asset: { ...asset, beaconId: beacon.id }, ...fingerprint });
    const [found] = await query<{ name: string }>('SELECT name FROM beacons WHERE id = $1', [beacon.id]);
    const name = found?.name ?? '';
    const browser = await browserOf(tenant, 'viewer');
    for (const page of ['', '/findings'])
      expect((await browser.get(`/o/${tenant.id}${page}`)).text.match(/, through [^<]*/g)).toEqual([
        `, through ${name}`,
      ]);
  });

  it('is exported with its filters as CSV without formulas and as JSON, beyond one page, with an audit entry', async () => {
    const tenant = await make.organization();
    await make.finding(tenant.id, { title: '=HYPERLINK("http://evil.example")', severity: 'high' });
    await query(
      `INSERT INTO findings (organization_id, asset_value, title, severity, priority, fingerprint)
       SELECT $1, 'example.com', 'Finding ' || number, 4, 2, sha256(convert_to(number::text, 'UTF8'))
       FROM generate_series(1, 1100) number`,
      [tenant.id],
    );
    await make.finding(tenant.id, { severity: 'low' });
    const person = await tenant.as('viewer');
    const browser = await signedInAs(api, portal, person);
    const searched = (await browser.get(`/o/${tenant.id}/findings?q=finding`)).text;
    expect(searched).toContain('1,101 findings');
    expect(searched).toContain('<title>Findings (1,101) · Assay</title>');
    const { text } = await browser.get(`/o/${tenant.id}/findings?severity=high`);
    const [csvLink, jsonLink] = [linkWith(text, 'CSV'), linkWith(text, 'JSON')];
    const csv = await browser.get(csvLink);
    expect([csv.headers.get('content-type'), csv.headers.get('content-disposition')]).toEqual([
      'text/csv; charset=utf-8',
      `attachment; filename=findings-${tenant.id}.csv`,
    ]);
    const rows = parse<Record<string, string>>(csv.text, { columns: true, bom: true });
    expect(rows).toHaveLength(1101);
    const formula = rows.find(({ title = '' }) => title.includes('HYPERLINK'));
    expect(formula).toMatchObject({
      title: `'=HYPERLINK("http://evil.example")`,
      status: 'New',
      belief: 'untestable',
    });
    const json = JSON.parse((await browser.get(jsonLink)).text) as { id: number; title: string }[];
    expect(new Set(json.map(({ id }) => String(id)))).toEqual(new Set(rows.map(({ id }) => id)));
    expect(JSON.parse((await browser.get(`/o/${tenant.id}/findings/export?cwe=1&format=json`)).text)).toEqual([]);
    expect((await browser.get(`/o/${tenant.id}/findings/export?format=xml`)).status).toBe(400);
    const entries = await query(
      `SELECT organization_id, metadata ->> 'query' AS query FROM audit_logs
       WHERE operation = 'finding.export' AND actor_id = $1 AND status = 'success' ORDER BY id LIMIT 1`,
      [String(person.userId)],
    );
    expect(entries).toEqual([{ organization_id: tenant.id, query: 'severity=high' }]);
    const stranger = await browserOf(await make.organization(), 'owner');
    expect((await stranger.get(csvLink)).status).toBe(404);
  });

  it('shows titles as text', async () => {
    const tenant = await make.organization();
    await make.finding(tenant.id, { title: '<script>alert(1)</script>', md: '<script>alert(2)</script> **bold**' });
    const browser = await browserOf(tenant, 'viewer');
    const { text } = await browser.get(`/o/${tenant.id}/findings`);
    const page = await browser.get(linkWith(text, '&lt;script'));
    expect(page.text).toContain('<strong>bold</strong>');
    expect(text + page.text).not.toContain('<script>alert');
  });
});

describe('a finding', () => {
  it('offers only the changes of status that the role allows, and refuses the others', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const page = `/o/${tenant.id}/findings/${id}`;
    const optionsFor = (html: string): number[] => {
      const buttons = [...html.matchAll(/<button name="status" value="(\d+)"/g)];
      return [...new Set(buttons.map(([, value]) => Number(value)))].sort((one, other) => one - other);
    };
    const viewer = await browserOf(tenant, 'viewer');
    expect((await viewer.get(page)).text).not.toContain(`${page}/`);
    const member = await browserOf(tenant, 'member');
    expect(optionsFor((await member.get(page)).text)).toEqual([2, 3, 4, 5]);
    const admin = await browserOf(tenant, 'admin');
    expect(optionsFor((await admin.get(page)).text)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect((await member.submit(page, `${page}/status`, { status: '7' })).status).toBe(403);
    const token = /name="csrf" value="([^"]*)"/.exec((await viewer.get(page)).text)?.[1] ?? '';
    expect((await viewer.post(`${page}/status`, { csrf: token, status: '2' })).status).toBe(403);
    expect((await viewer.post(`${page}/retest`, { csrf: token })).status).toBe(403);
  });

  it('changes its status with a comment, as the API does', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const page = `/o/${tenant.id}/findings/${id}`;
    const person = await tenant.as('admin');
    const browser = await signedInAs(api, portal, person);
    const comment = 'Behind the firewall.';
    const change = { status: '6', comment, until: '2999-01-31', justification: 'inline_mitigations_already_exist' };
    const changed = await browser.submit(page, `${page}/status`, change);
    expect([changed.status, changed.headers.get('location')]).toEqual([303, page]);
    const { text } = await browser.get(page);
    expect(text).toContain(comment);
    expect(text).toContain('2999-01-31T23:59:59.999Z');
    expect(text).toContain('</strong>: inline mitigations already exist');
    const opened = await browser.submit(page, `${page}/status`, { status: '1', until: '', justification: '' });
    expect(opened.status).toBe(303);
    expect((await browser.submit(page, `${page}/status`, { ...change, justification: '' })).status).toBe(303);
    const refused = await browser.submit(page, `${page}/status`, { status: '5', until: '2999-01-31' });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('>Until is only allowed with the status Risk accepted.<'),
    ]);
    const entries = await query<{ status: string; metadata: object }>(
      `SELECT status, metadata FROM audit_logs WHERE operation = 'finding.status_update' AND actor_id = $1 AND resource_id = $2 ORDER BY id`,
      [String(person.userId), String(id)],
    );
    expect(entries).toMatchObject([
      { status: 'success', metadata: { from: 1, to: 6, justification: 'inline_mitigations_already_exist' } },
      { status: 'success', metadata: { from: 6, to: 1 } },
      { status: 'success', metadata: { from: 1, to: 6 } },
      { status: 'failure' },
    ]);
  });

  it('shows the newest verdict first, and each reason once and as it was written', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const page = `/o/${tenant.id}/findings/${id}`;
    const browser = await browserOf(tenant, 'admin');
    const verdict = async (result: string, comment: string): Promise<string> => {
      await browser.submit(page, `${page}/retest`);
      await browser.submit(page, `${page}/retest/verdict`, { result, comment });
      const { text } = await browser.get(page);
      return (/<h2 id="retest-title"[^>]*>([^]*?)<\/section>/.exec(text)?.[1] ?? '').replaceAll(/<[^>]*>/g, '');
    };
    const confirm = (reason: string) =>
      query(
        `UPDATE findings SET verification = 'confirmed', verified_at = now(), verification_reason = $2 WHERE id = $1`,
        [id, reason],
      );
    await confirm('/.env is public');
    const still = await verdict('still_vulnerable', '/.env is public');
    expect(still).toContain('/.env is public');
    expect(still.match(/\/\.env is public/g)).toHaveLength(1);
    const fixed = await verdict('fixed', 'it is gone');
    expect(fixed).toMatch(/Fixed[^]*It is gone/);
    expect(fixed).not.toContain('/.env is public');
    expect((await browser.get(page)).text).toMatch(/<dt>Confirmed<\/dt><dd[^>]*><time/);
  });

  it('is retested while its page is open, and then shows the verdict, the evidence and its signature', async () => {
    const tenant = await make.organization();
    const { id: assetId } = await make.asset(tenant.id, { value: site.url, type: 'url' });
    const asset = { id: assetId, value: site.url, tier: null };
    const check = { checkId: 'missing-nosniff', checkDefinition: { location: site.url } };
    const { id } = await make.finding(tenant.id, { asset, title: unique('Sniffing'), ...check });
    const page = `/o/${tenant.id}/findings/${id}`;
    const person = await tenant.as('member');
    const browser = await signedInAs(api, portal, person);
    site.hold();
    expect((await browser.submit(page, `${page}/retest`)).headers.get('location')).toBe(page);
    const running = (await browser.get(page)).text;
    expect(running).toContain(`data-stream="${page}/progress" data-page="${page}/live"`);
    expect(running).toContain('http-equiv="refresh"');
    expect(running).not.toContain('>Retest</button>');
    site.release();
    await eventually(async () => expect((await browser.get(`${page}/live`)).text).toContain('Still vulnerable'));
    const live = (await browser.get(`${page}/live`)).text;
    expect(live).toMatch(/^<div id="live"/);
    expect(live).not.toContain('data-stream');
    const { text } = await browser.get(page);
    expect(text).not.toContain('http-equiv="refresh"');
    expect(text).toContain('GET / HTTP/1.1');
    expect(text).toContain('>Retest</button>');
    const evidence = JSON.parse((await browser.get(`${page}/evidence.json`)).text);
    const ofApi = (await person.client.get(`/v1/findings/${id}/retest/evidence`)).body;
    expect(evidence).toEqual(ofApi);
    const keys = JSON.parse((await browser.get(`${page}/keys.json`)).text);
    expect(keys.keys.map((key: { id: string }) => key.id)).toContain(ofApi.signature.key);
    const [entry] = await query(
      `SELECT status, resource_id FROM audit_logs WHERE operation = 'retest.start' AND actor_id = $1`,
      [String(person.userId)],
    );
    expect(entry).toEqual({ status: 'success', resource_id: ofApi.uuid });
  });

  it('is tested with all claims of a list by one button, and the list of those under way shows their end', async () => {
    const tenant = await make.organization();
    const { id: assetId } = await make.asset(tenant.id, { value: site.url, type: 'url' });
    const asset = { id: assetId, value: site.url, tier: null };
    const check = { checkId: 'missing-nosniff', checkDefinition: { location: site.url } };
    const claim = await make.finding(tenant.id, { asset, severity: 'high', fingerprint: 'a1'.repeat(32), ...check });
    const elsewhere = await make.finding(tenant.id, { ...check, severity: 'high', fingerprint: 'a2'.repeat(32) });
    const low = await make.finding(tenant.id, { asset, severity: 'low', fingerprint: 'a3'.repeat(32), ...check });
    const untestable = await make.finding(tenant.id, { severity: 'high' });
    const list = `/o/${tenant.id}/findings`;
    const viewer = await browserOf(tenant, 'viewer');
    expect((await viewer.get(`${list}?severity=high`)).text).not.toContain('Test the claims');
    const browser = await browserOf(tenant, 'member');
    site.hold();
    const page = `${list}?severity=high`;
    const answer = await browser.submit(page, `${list}/claims`, { query: 'severity=high' });
    const running = answer.headers.get('location') ?? '';
    expect(running).toBe(`${list}?retest=running&sort=priority`);
    const shown = (await browser.get(running)).text;
    expect(shown).toMatch(/1 claim under test\. 1 refused\. #\d+: /);
    expect(shown).toContain('hx-trigger="every 5s"');
    expect(titlesOf(shown)).toEqual([claim.title]);
    // Those under test and those without a check are no claims to test.
    const again = await browser.submit(page, `${list}/claims`, { query: 'severity=high' });
    expect((await browser.get(again.headers.get('location') ?? '')).text).toContain('0 claims under test. 1 refused.');
    site.release();
    await eventually(async () => expect(titlesOf((await browser.get(running)).text)).toEqual([]));
    const beliefsOf = async (ids: number[]) =>
      (
        await query<{ verification: string }>('SELECT verification FROM findings WHERE id = ANY($1) ORDER BY id', [ids])
      ).map(({ verification }) => verification);
    expect(await beliefsOf([claim.id, elsewhere.id, low.id, untestable.id])).toEqual([
      'confirmed',
      ...Array<string>(3).fill('untested'),
    ]);
  });

  it('has the request and the response of the scan that saw it, and their URL, before its first retest', async () => {
    const tenant = await make.organization();
    await make.asset(tenant.id, { value: site.url, type: 'url' });
    site.state = 'vulnerable';
    const browser = await browserOf(tenant, 'member');
    const scans = `/o/${tenant.id}/scans`;
    const scan = async (): Promise<void> => {
      await browser.submit(scans, scans, { url: site.url });
      await eventually(async () => {
        const [job] = await query<{ status: string }>(
          'SELECT status FROM jobs WHERE organization_id = $1 ORDER BY id DESC LIMIT 1',
          [tenant.id],
        );
        expect(job?.status).toBe('FINISHED');
      });
    };
    await scan();
    const findings = await query<{ id: number; checkId: string }>(
      'SELECT id, check_id AS "checkId" FROM findings WHERE organization_id = $1',
      [tenant.id],
    );
    const { id } = findings.find(({ checkId }) => checkId === 'missing-nosniff') ?? { id: 0 };
    const page = `/o/${tenant.id}/findings/${id}`;
    const { text } = await browser.get(page);
    expect(text).toContain(`<code dir="ltr">${site.url}</code>`);
    expect(text).toMatch(/<h2 id="evidence-title">Evidence<\/h2>[^]*by a scan[^]*GET \/ HTTP\/1\.1[^]*HTTP\/1\.1 200/);
    expect(text).not.toContain('Seen at');
    expect(text).not.toContain('evidence.json');
    expect(text).toContain('1 scan, last');
    // What a person has edited stays whole.
    const { client } = await tenant.as('member');
    const md = 'Mine.\n\nSeen at\n\nthe third host, by hand.';
    expect((await client.patch(`/v1/findings/${id}/`, { md })).status).toBe(200);
    expect((await browser.get(page)).text).toContain('<p>Seen at</p>\n<p>the third host, by hand.</p>');
    // Only the organization sees it, and there is one row, however often it is seen.
    const stranger = await browserOf(await make.organization(), 'owner');
    expect((await stranger.get(page)).status).toBe(404);
    site.state = 'fixed';
    await scan();
    const [, verdict = ''] = /<h2 id="retest-title"[^>]*>([^]*?)<\/section>/.exec((await browser.get(page)).text) ?? [];
    expect(verdict).toContain('class="verdict fixed"');
    expect(verdict).not.toContain('class="verdict vulnerable"');
    const rows = await query('SELECT FROM scan_evidence WHERE organization_id = $1', [tenant.id]);
    expect(rows).toHaveLength(findings.length);
    await query('DELETE FROM findings WHERE id = $1', [id]);
    expect(await query('SELECT FROM scan_evidence WHERE finding_id = $1', [id])).toEqual([]);
  });

  it('shows the evidence of its verdict, and keeps the signed evidence of the last retest after a later scan', async () => {
    const tenant = await make.organization();
    await make.asset(tenant.id, { value: site.url, type: 'url' });
    const { client } = await tenant.as('member');
    const browser = await browserOf(tenant, 'member');
    site.state = 'vulnerable';
    await runJob(client, site.url, { checks: ['missing-nosniff'] });
    const [{ id }] = (await client.get(`/v1/organizations/${tenant.id}/findings/`)).body.findings;
    const page = `/o/${tenant.id}/findings/${id}`;
    const cards = async (): Promise<string[]> => {
      const { text } = await browser.get(page);
      return ['retest', 'evidence'].map((card) => text.split(`id="${card}-title"`)[1]?.split('</section>')[0] ?? '');
    };
    await browser.submit(page, `${page}/retest`);
    await eventually(async () => expect((await cards())[1]).toContain('Download the signed evidence<'));
    const signed = (await browser.get(`${page}/evidence.json`)).text;
    await runJob(client, site.url, { checks: ['missing-nosniff'] });
    const [verdict = '', evidence = ''] = await cards();
    expect(verdict).toContain('class="verdict vulnerable"');
    expect(evidence).toContain('by a scan');
    expect(evidence).toContain('Download the signed evidence of the last retest<');
    expect((await browser.get(`${page}/evidence.json`)).text).toBe(signed);
  });

  it('says why its check cannot run, if it is from before a limit', async () => {
    const tenant = await make.organization();
    const variables = Array.from({ length: 101 }, (_none, at) => `v${at}: a`).join();
    const http = `id: a\ninfo: {name: a}\nvariables: {${variables}}\nhttp: [{path: ["{{BaseURL}}"], matchers: [{type: word, words: [a]}]}]`;
    const { id } = await make.finding(tenant.id, {
      checkId: 'http:a',
      checkDefinition: { location: `${site.url}/`, http },
    });
    const page = `/o/${tenant.id}/findings/${id}`;
    for (const path of [page, `${page}/live`]) {
      const { status, text } = await (await browserOf(tenant, 'viewer')).get(path);
      expect([status, text]).toEqual([
        200,
        expect.stringContaining('Its check cannot run: variables: has more than 100 entries.'),
      ]);
    }
  });

  it('without a check gets its verdict by hand from an admin, or its retest is canceled', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const page = `/o/${tenant.id}/findings/${id}`;
    const [member, admin] = [await browserOf(tenant, 'member'), await browserOf(tenant, 'admin')];
    await member.submit(page, `${page}/retest`);
    const waiting = (await member.get(page)).text;
    expect(waiting).toContain('The finding has no check that can run. An admin gives the verdict by hand.');
    expect(waiting).not.toContain('data-stream');
    expect(waiting).not.toContain(`${page}/retest/verdict`);
    const verdict = { result: 'fixed', comment: 'Seen by two of us.' };
    const given = await admin.submit(page, `${page}/retest/verdict`, verdict);
    expect(given.headers.get('location')).toBe(page);
    const { text } = await member.get(page);
    expect(text).toContain('Seen by two of us.');
    expect(text).toContain('<strong>Resolved</strong>');
    await member.submit(page, `${page}/retest`);
    await member.submit(page, `${page}/retest/cancel`);
    expect((await member.get(page)).text).toContain('It was canceled.');
  });

  it('under the path of another organization does not exist, also where the caller belongs to both', async () => {
    const [one, other] = [await make.organization(), await make.organization()];
    const { id } = await make.finding(one.id);
    const person = await one.as('admin');
    await make.membership(person.userId, other.id, 'owner');
    const browser = await signedInAs(api, portal, person);
    const page = `/o/${one.id}/findings/${id}`;
    const wrong = `/o/${other.id}/findings/${id}`;
    expect((await browser.get(page)).status).toBe(200);
    const token = /name="csrf" value="([^"]*)"/.exec((await browser.get(page)).text)?.[1] ?? '';
    for (const path of ['', '/live', '/progress', '/evidence.json', '/keys.json'])
      expect([path, (await browser.get(wrong + path)).status]).toEqual([path, 404]);
    const forms = ['/assignee', '/due-date', '/labels', '/comments', '/unsafe'];
    for (const path of ['/status', '/retest', '/retest/verdict', '/retest/cancel', ...forms]) {
      const fields = {
        csrf: token,
        ...(path === '/status' && { status: '2' }),
        ...(path.endsWith('verdict') && { result: 'fixed' }),
        ...(path === '/comments' && { comment: 'x' }),
        ...(path === '/unsafe' && { allow: 'true', version: 'x' }),
      };
      expect([path, (await browser.post(wrong + path, fields)).status]).toEqual([path, 404]);
    }
  });
});

describe('working with a finding', () => {
  it('merges it into another by its number, and separates it', async () => {
    const tenant = await make.organization();
    const [main, part, other] = [
      await make.finding(tenant.id),
      await make.finding(tenant.id, { title: 'The <same>' }),
      await make.finding((await make.organization()).id),
    ];
    const member = await browserOf(tenant, 'member');
    const pageOf = (id: number): string => `/o/${tenant.id}/findings/${id}`;
    for (const [into, status] of [
      [other.id, 404],
      [part.id, 422],
      ['', 400],
    ]) {
      const refused = await member.submit(pageOf(part.id), `${pageOf(part.id)}/merge`, { into: String(into) });
      expect([into, refused.status]).toEqual([into, status]);
      // On the page with the form.
      expect(refused.text).toMatch(
        /<details class="dropdown more" open>[^]*<details open><summary>Merge into another finding/,
      );
    }
    const merged = await member.submit(pageOf(part.id), `${pageOf(part.id)}/merge`, { into: String(main.id) });
    expect([merged.status, merged.headers.get('location')]).toEqual([303, pageOf(main.id)]);
    const { text: ofMain } = await member.get(pageOf(main.id));
    expect(ofMain).toContain('The &lt;same></a>');
    expect(ofMain).toContain(`recorded as <a href="${pageOf(part.id)}">#${part.id}</a>`);
    const { text } = await member.get(pageOf(part.id));
    expect(text).toContain(`Merged into <a href="${pageOf(main.id)}">#${main.id}</a>`);
    for (const form of ['status', 'retest', 'comments', 'assignee', 'merge'])
      expect(text).not.toContain(`action="${pageOf(part.id)}/${form}"`);
    expect((await member.get(`/o/${tenant.id}/findings?merged_into=${main.id}`)).text).toContain('The &lt;same>');
    const fields = { finding: String(part.id) };
    const separated = await member.submit(pageOf(part.id), `${pageOf(main.id)}/separate`, fields);
    expect([separated.status, separated.headers.get('location')]).toEqual([303, pageOf(part.id)]);
    expect((await member.get(pageOf(part.id))).text).not.toContain('Merged into <a');
  });

  it('shows comments as Markdown with links to each, which their authors edit for 15 minutes', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const page = `/o/${tenant.id}/findings/${id}`;
    const member = await browserOf(tenant, 'member');
    const comment = '**Bold** ![x](https://evil.example/x.png) [a](javascript:alert(1)) <img src=x onerror=y>';
    const written = await member.submit(page, `${page}/comments`, { comment });
    const [, anchor = ''] = (written.headers.get('location') ?? '').split('#');
    const { text } = await member.get(page);
    expect(anchor).toMatch(/^comment-\d+$/);
    expect(text).toContain(`<li id="${anchor}">`);
    expect(text).toContain(`href="#${anchor}"`);
    expect(text).toContain('<strong>Bold</strong>');
    expect(text).not.toMatch(/<img|href="javascript/);
    const form = `${page}/comments/${anchor.replace('comment-', '')}`;
    expect((await (await browserOf(tenant, 'admin')).get(page)).text).not.toContain(`action="${form}"`);
    const edited = await member.submit(page, form, { comment: 'Second thoughts' });
    expect([edited.status, edited.headers.get('location')]).toEqual([303, `${page}#${anchor}`]);
    expect((await member.get(page)).text).toMatch(/<p>Second thoughts<\/p>[^]*edited <time/);
    const csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
    for (const other of ['0', '12x', '999999999999999'])
      expect((await member.post(`${page}/comments/${other}`, { csrf, comment: 'x' })).status).toBe(404);
    await query(
      `UPDATE finding_history SET html = NULL, created = now() - interval '15 minutes' WHERE finding_id = $1`,
      [id],
    );
    const old = (await member.get(page)).text;
    expect(old).not.toContain(`action="${form}"`);
    expect(old).toMatch(/<p class="comment" dir="auto">\s*Second thoughts/);
    expect((await member.post(form, { csrf, comment: 'x' })).status).toBe(409);
  });

  it('assigns it, sets the due date and labels, and comments, on its page alone', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const page = `/o/${tenant.id}/findings/${id}`;
    const { userId } = await tenant.as('viewer');
    const member = await browserOf(tenant, 'member');
    const send = async (form: string, fields: Record<string, string>) => {
      const { status, headers } = await member.submit(page, `${page}/${form}`, fields);
      expect([form, status, headers.get('location')?.split('#')[0]]).toEqual([form, 303, page]);
    };
    const stored = async () =>
      (await query('SELECT assignee_id, due_date::text, labels FROM findings WHERE id = $1', [id]))[0];
    await send('assignee', { assignee_id: String(userId) });
    await send('due-date', { due_date: '2001-02-03' });
    await send('labels', { labels: 'Shop, <b>pci</b>,, shop ' });
    await send('comments', { comment: 'First line\n<script>alert(1)</script>' });
    expect(await stored()).toEqual({ assignee_id: userId, due_date: '2001-02-03', labels: ['<b>pci</b>', 'shop'] });
    const { text } = await member.get(page);
    expect(text).toContain('<p>First line\n&lt;script&gt;alert(1)&lt;/script&gt;</p>');
    expect(text).toMatch(/Due: <time[^>]*>[\d,]+ days late/);
    expect(text).toMatch(/class="person"[^]*?<bdi>\w+/);
    expect(text).not.toContain('<b>pci');
    await send('assignee', { assignee_id: '' });
    await send('due-date', { due_date: '' });
    await send('labels', { labels: '' });
    expect(await stored()).toEqual({ assignee_id: null, due_date: null, labels: [] });
    const viewer = await browserOf(tenant, 'viewer');
    const token = /name="csrf" value="([^"]*)"/.exec((await viewer.get(page)).text)?.[1] ?? '';
    for (const form of ['assignee', 'due-date', 'labels', 'comments'])
      expect((await viewer.post(`${page}/${form}`, { csrf: token, comment: 'x' })).status).toBe(403);
    expect((await member.submit(page, `${page}/comments`, { comment: '  ' })).status).toBe(400);
  });

  it('takes a change back, also that of a day which the rules had set, until another person changes it', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id, { title: 'A late one' });
    await query(`UPDATE findings SET due_date = '2031-01-31', labels = '{one,two}' WHERE id = $1`, [id]);
    const page = `/o/${tenant.id}/findings/${id}`;
    const [member, other] = [await browserOf(tenant, 'member'), await browserOf(tenant, 'member')];
    const { userId } = await tenant.as('viewer');
    const stored = async () =>
      (
        await query(
          'SELECT assignee_id, due_date::text AS day, due_by_hand AS "byHand", labels FROM findings WHERE id = $1',
          [id],
        )
      )[0];
    const before = await stored();
    const changes: [string, Record<string, string>][] = [
      ['assignee', { assignee_id: String(userId) }],
      ['due-date', { due_date: '2032-02-01' }],
      ['labels', { labels: 'three' }],
    ];
    for (const [form, fields] of changes) {
      const changed = await member.submit(page, `${page}/${form}`, fields);
      expect([form, changed.headers.get('location')]).toEqual([form, page]);
      expect(await stored()).not.toEqual(before);
      // The form of the notice is the first one of the page.
      expect((await member.submit(page, `${page}/${form}`)).status).toBe(303);
      expect([form, await stored()]).toEqual([form, before]);
      expect((await member.get(page)).text).toContain('>Undo</button>');
      expect((await member.get(page)).text).not.toContain('>Undo</button>');
    }
    await member.submit(page, `${page}/labels`, { labels: 'mine' });
    await other.submit(page, `${page}/labels`, { labels: 'theirs' });
    const late = await member.submit(page, `${page}/labels`);
    expect([late.status, late.text]).toEqual([412, expect.stringContaining('Another person has changed this')]);
    expect(await stored()).toMatchObject({ labels: ['theirs'] });
  });

  it('counts a line end as one character, as the field of the form does', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const page = `/o/${tenant.id}/findings/${id}`;
    const browser = await browserOf(tenant, 'member');
    const comment = `${'a'.repeat(49)}\r\n`.repeat(39) + 'b'.repeat(50);
    expect((await browser.submit(page, `${page}/comments`, { comment })).status).toBe(303);
    const [stored] = await query<{ comment: string }>(
      'SELECT comment FROM finding_history WHERE finding_id = $1 ORDER BY id DESC LIMIT 1',
      [id],
    );
    expect(stored?.comment).toBe(comment.replaceAll('\r\n', '\n'));
  });

  it('refuses a form when another person has changed its field since, and shows what was typed', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const page = `/o/${tenant.id}/findings/${id}`;
    const [slow, fast] = [await browserOf(tenant, 'member'), await browserOf(tenant, 'member')];
    const { text } = await slow.get(page);
    const hidden = (action: string): Record<string, string> => {
      const form = text.slice(text.indexOf(`action="${page}/${action}"`));
      const of = (name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? '';
      return { csrf: of('csrf'), version: of('version') };
    };
    const referer = { referer: portal.url + page };
    expect((await fast.submit(page, `${page}/labels`, { labels: 'theirs' })).status).toBe(303);
    const refused = await slow.post(`${page}/labels`, { ...hidden('labels'), labels: 'mine' }, referer);
    expect([refused.status, refused.text]).toEqual([412, expect.stringContaining('Another person has changed this')]);
    expect(refused.text).toMatch(/<input(?=[^>]* name="labels")[^>]* value="mine"/);
    expect(refused.text).toContain('>theirs</a>');
    const labels = async () => (await query('SELECT labels, due_date::text FROM findings WHERE id = $1', [id]))[0];
    expect(await labels()).toMatchObject({ labels: ['theirs'] });
    // Another field is not in the way.
    const other = await slow.post(`${page}/due-date`, { ...hidden('due-date'), due_date: '2031-01-31' }, referer);
    expect(other.status).toBe(303);
    expect((await slow.submit(page, `${page}/labels`, { labels: 'mine' })).status).toBe(303);
    expect(await labels()).toEqual({ labels: ['mine'], due_date: '2031-01-31' });
  });

  it('lets only an admin allow a check that changes state, and only the check that the page showed', async () => {
    const tenant = await make.organization();
    const http = (method: string): string =>
      `id: post\ninfo: {name: A}\nhttp:\n  - {method: ${method}, path: ["{{BaseURL}}/"], matchers: [{type: word, words: [a]}]}`;
    const definition = (method: string) => ({ location: 'https://example.com/', http: http(method) });
    const { id } = await make.finding(tenant.id, { checkId: 'http:post', checkDefinition: definition('POST') });
    const page = `/o/${tenant.id}/findings/${id}`;
    const allowed = async (): Promise<unknown> =>
      (await query<{ allow_unsafe: boolean }>('SELECT allow_unsafe FROM findings WHERE id = $1', [id]))[0]
        ?.allow_unsafe;
    const reason = 'A retest cannot start: the check sends POST, which may change state on the target.';

    const member = await browserOf(tenant, 'member');
    const shown = (await member.get(page)).text;
    expect(shown).toContain(reason);
    expect(shown).toContain('An admin of the organization must allow it.');
    expect(shown).not.toContain(`action="${page}/retest"`);
    expect(shown).not.toContain(`action="${page}/unsafe"`);
    const csrf = /name="csrf" value="([^"]*)"/.exec(shown)?.[1] ?? '';

    const admin = await browserOf(tenant, 'admin');
    const offered = (await admin.get(page)).text;
    expect(offered).toContain('>Allow POST</button>');
    const version = /action="[^"]*\/unsafe"[^]*?name="version" value="([^"]*)"/.exec(offered)?.[1] ?? '';
    expect((await member.post(`${page}/unsafe`, { csrf, allow: 'true', version })).status).toBe(403);

    // Between the page and the form, the check becomes another one.
    await query('UPDATE findings SET check_definition = $2 WHERE id = $1', [id, definition('DELETE')]);
    const late = await admin.post(`${page}/unsafe`, {
      csrf: /name="csrf" value="([^"]*)"/.exec(offered)?.[1] ?? '',
      allow: 'true',
      version,
    });
    expect([late.status, await allowed()]).toEqual([412, false]);

    expect((await admin.submit(page, `${page}/unsafe`, { allow: 'true' })).status).toBe(303);
    expect(await allowed()).toBe(true);
    const after = (await member.get(page)).text;
    expect(after).toContain('An admin has allowed this for this finding.');
    expect(after).toContain(`action="${page}/retest"`);
    expect((await admin.submit(page, `${page}/unsafe`, { allow: 'false' })).status).toBe(303);
    expect(await allowed()).toBe(false);
  });

  it('shows other findings of the same check and how the check decides', async () => {
    const tenant = await make.organization();
    const check = { checkId: 'exposed-git', checkDefinition: { location: 'https://example.com/' } };
    const ids: number[] = [];
    for (let number = 0; number < 7; number++) ids.push((await make.finding(tenant.id, check)).id);
    await make.finding(tenant.id, { title: 'Another check' });
    const browser = await browserOf(tenant, 'viewer');
    const { text } = await browser.get(`/o/${tenant.id}/findings/${ids[6]}`);
    const similar = text.slice(text.indexOf('Similar findings'), text.indexOf('All findings of this check'));
    expect([...similar.matchAll(/findings\/(\d+)"/g)].map(([, id]) => Number(id))).toEqual(
      ids.slice(1, 6).toReversed(),
    );
    expect(text).toContain('How this is checked');
    const list = (await browser.get(linkWith(text, 'All findings of this check'))).text;
    expect(titlesOf(list)).toHaveLength(7);
    expect(list).toContain('Check: exposed-git');
  });
});

describe('the selection of the list', () => {
  const bulk = (tenant: Tenant): string => `/o/${tenant.id}/findings/bulk`;
  const selected = (ids: readonly number[], fields: Record<string, string>): [string, string][] => [
    ...ids.map((id): [string, string] => ['finding', String(id)]),
    ...Object.entries(fields),
  ];

  it('is changed at once, and the list then says what was refused and why', async () => {
    const tenant = await make.organization();
    const [one, two] = [await make.finding(tenant.id), await make.finding(tenant.id)];
    await query('UPDATE findings SET status = 5 WHERE id = $1', [two.id]);
    const browser = await browserOf(tenant, 'member');
    const list = `/o/${tenant.id}/findings?severity=low`;
    const change = selected([one.id, two.id], { action: 'status', status: '3', comment: 'Ours.' });
    const answer = await browser.submit(list, bulk(tenant), change);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, list]);
    const { text } = await browser.get(list);
    expect(text).toContain('1 finding changed. 1 refused.');
    expect(text).toContain(`#${two.id}: The finding is 5 (resolved) and cannot become 3`);
    expect((await browser.get(list)).text).not.toContain('1 refused');
    const all = [one.id, two.id];
    const { userId } = await tenant.as('viewer');
    const actions: Record<string, string>[] = [
      { action: 'assign', assignee_id: String(userId) },
      { action: 'due', due_date: '2031-01-31' },
      { action: 'add_labels', labels: 'Shop, pci' },
      { action: 'remove_labels', labels: 'PCI' },
      { action: 'retest' },
    ];
    for (const fields of actions)
      expect((await browser.submit(list, bulk(tenant), selected(all, fields))).status).toBe(303);
    const rows = await query(
      `SELECT status, assignee_id, due_date::text, labels, (SELECT count(*)::int FROM retests r WHERE r.finding_id = f.id) AS retests
       FROM findings f WHERE id = ANY($1) ORDER BY id`,
      [all],
    );
    const same = { assignee_id: userId, due_date: '2031-01-31', labels: ['shop'], retests: 1 };
    expect(rows).toEqual([
      { status: 3, ...same },
      { status: 5, ...same },
    ]);
  });

  it('does not reach findings of another organization of the same person', async () => {
    const [one, other] = [await make.organization(), await make.organization()];
    await make.finding(one.id);
    const { id } = await make.finding(other.id);
    const person = await one.as('member');
    await make.membership(person.userId, other.id, 'member');
    const browser = await signedInAs(api, portal, person);
    const change = selected([id], { action: 'status', status: '3' });
    await browser.submit(`/o/${one.id}/findings`, bulk(one), change);
    expect((await browser.get(`/o/${one.id}/findings`)).text).toContain('0 findings changed. 1 refused.');
    expect(await query('SELECT status FROM findings WHERE id = $1', [id])).toEqual([{ status: 1 }]);
  });

  it('can be all findings of the filter: after a dry run a worker changes them, and ten minutes undo it', async () => {
    const tenant = await make.organization();
    const ids: number[] = [];
    for (let number = 0; number < 3; number++) ids.push((await make.finding(tenant.id)).id);
    await query(`UPDATE findings SET labels = '{shop}' WHERE id = $1`, [ids[0]]);
    const browser = await browserOf(tenant, 'member');
    const list = `/o/${tenant.id}/findings`;
    expect((await browser.get(list)).text).not.toContain('of this filter');
    const { text } = await browser.get(`${list}?per_page=2`);
    expect(text).toContain('All 2 on this page are selected.');
    expect(text.replaceAll(/\s+/g, ' ')).toContain('Select all 3 of this filter');
    const all = (fields: Record<string, string>) =>
      browser.submit(`${list}?per_page=2`, bulk(tenant), { finding: 'all', ...fields });
    const page = (await all({ action: 'add_labels', labels: 'shop' })).headers.get('location') ?? '';
    const shown = (await browser.get(page)).text;
    for (const words of ['3 findings of the filter', '2 findings would change', '1 finding unchanged'])
      expect(shown).toContain(words);
    expect(shown).toContain('You can undo the change for ten minutes.');
    const labeled = () => query(`SELECT id FROM findings WHERE organization_id = $1 AND labels <> '{}'`, [tenant.id]);
    expect(await labeled()).toHaveLength(1);
    expect((await browser.submit(page, `${page}/run`)).status).toBe(303);
    await eventually(async () => expect((await browser.get(page)).text).toContain('2 findings changed'));
    expect(await labeled()).toHaveLength(3);
    expect((await browser.get(page)).text).toMatch(/The time to undo it ends <time[^>]*>in 9 minutes/);
    const other = await browserOf(tenant, 'owner');
    expect((await other.get(page)).status).toBe(404);
    expect((await browser.submit(page, `${page}/undo`)).status).toBe(303);
    await eventually(async () => expect((await browser.get(page)).text).toContain('2 findings undone'));
    expect(await labeled()).toEqual([{ id: ids[0] }]);
    const status = await all({ action: 'status', status: '3' });
    const { text: last } = await browser.get(status.headers.get('location') ?? '');
    expect(last).toContain('A change of statuses cannot be undone.');
    const viewer = await browserOf(tenant, 'viewer');
    expect((await viewer.get(`${list}?per_page=2`)).text).not.toContain('of this filter');
    const csrf = /name="csrf" value="([^"]*)"/.exec((await viewer.get(list)).text)?.[1] ?? '';
    expect((await viewer.post(bulk(tenant), { csrf, finding: 'all', action: 'due' })).status).toBe(403);
  });

  it('is offered only to members, and needs at least one finding', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const list = `/o/${tenant.id}/findings`;
    const viewer = await browserOf(tenant, 'viewer');
    const { text } = await viewer.get(list);
    expect(text).not.toContain(bulk(tenant));
    const token = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
    await viewer.post(bulk(tenant), [['csrf', token], ...selected([id], { action: 'status', status: '3' })]);
    expect((await viewer.get(list)).text).toContain('1 refused');
    const member = await browserOf(tenant, 'member');
    const tooLarge = await member.submit(list, bulk(tenant), { action: 'retest', finding: '2147483648' });
    expect([tooLarge.status, tooLarge.text]).toEqual([400, expect.stringContaining('1 to 500 findings')]);
    const none = await member.submit(list, bulk(tenant), { action: 'retest' });
    expect([none.status, none.text]).toEqual([400, expect.stringContaining('select some in the list first')]);
    const csrf = /name="csrf" value="([^"]*)"/.exec((await member.get(list)).text)?.[1] ?? '';
    const long = selected([id], { action: 'add_labels', labels: 'x'.repeat(50) });
    const again = await member.post(bulk(tenant), [['csrf', csrf], ...long], { referer: portal.url + list });
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('Labels must have 1 to 40 characters')]);
    expect(again.text).toMatch(new RegExp(`name="finding" value="${id}" checked`));
  });
});

describe('saved views', () => {
  it('keep the filters of the list under a name, for their user alone', async () => {
    const tenant = await make.organization();
    await make.finding(tenant.id);
    const person = await tenant.as('viewer');
    const browser = await signedInAs(api, portal, person);
    const [list, views] = [`/o/${tenant.id}/findings`, `/o/${tenant.id}/findings/views`];
    const filtered = `${list}?sort=due_date&assignee=me&q=a%26b`;
    const save = (name: string, page = filtered) => browser.submit(page, views, { name });
    const saved = await save('<i>Mine</i>');
    expect([saved.status, saved.headers.get('location')]).toEqual([303, `${list}?assignee=me&q=a%26b&sort=due_date`]);
    const { text } = await browser.get(filtered);
    expect(text).toContain('View: &lt;i>Mine&lt;/i>');
    expect(linkWith(text, '&lt;i')).toBe(`${list}?assignee=me&q=a%26b&sort=due_date`);
    const again = await save('<i>Mine</i>');
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('You have a view with this name')]);
    expect((await browser.submit(filtered, views, { name: 'Wrong', query: 'severity=worst' })).status).toBe(400);
    const [view] = await query<{ id: number }>('SELECT id FROM saved_views WHERE organization_id = $1', [tenant.id]);
    const other = await browserOf(tenant, 'owner');
    expect((await other.get(list)).text).not.toContain('Mine');
    const token = /name="csrf" value="([^"]*)"/.exec((await other.get(list)).text)?.[1] ?? '';
    expect((await other.post(`${views}/${view?.id}/rename`, { csrf: token, name: 'Theirs' })).status).toBe(404);
    expect((await other.post(`${views}/${view?.id}/delete`, { csrf: token })).status).toBe(404);
    expect((await browser.submit(views, `${views}/${view?.id}/rename`, { name: 'Ours' })).status).toBe(303);
    expect((await browser.get(views)).text).toContain('value="Ours"');
    expect((await browser.submit(views, `${views}/${view?.id}/delete`)).status).toBe(303);
    expect((await browser.get(views)).text).toContain('No views yet');
    await query(
      `INSERT INTO saved_views (organization_id, user_id, name, query) SELECT $1, $2, 'View ' || n, '' FROM generate_series(1, 49) n`,
      [tenant.id, person.userId],
    );
    expect((await save('The last one')).status).toBe(303);
    const full = await save('One more');
    expect([full.status, full.text]).toEqual([422, expect.stringContaining('You have 50 views')]);
  });
});

describe('the SLA in the settings', () => {
  it('is changed by admins and shown to others', async () => {
    const tenant = await make.organization();
    const page = `/o/${tenant.id}/settings/findings`;
    const admin = await browserOf(tenant, 'admin');
    const saved = await admin.submit(page, page, { critical: '2', high: '', medium: '45', low: '400' });
    expect([saved.status, saved.headers.get('location')]).toEqual([303, page]);
    const [, field] = /<input([^>]* name="critical"[^>]*)>/.exec((await admin.get(page)).text) ?? [];
    expect(field).toContain('value="2"');
    const refused = await admin.submit(page, page, { critical: '0' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Critical must be a whole number')]);
    const member = await browserOf(tenant, 'member');
    const { text } = await member.get(page);
    expect(text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')).toContain(
      'Critical 2 days High No due date Medium 45 days Low 400 days',
    );
    expect(text).not.toContain(`action="${page}"`);
    const token = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
    expect((await member.post(page, { csrf: token, critical: '1' })).status).toBe(403);
  });
});

describe('the start page', () => {
  it('leads to the organization, and without one to the settings', async () => {
    const tenant = await make.organization();
    const browser = await browserOf(tenant, 'viewer');
    expect((await browser.get('/')).headers.get('location')).toBe(`/o/${tenant.id}`);
    const alone = await signedInAs(api, portal, { userId: await make.user() });
    expect((await alone.get('/')).headers.get('location')).toBe('/settings/api');
    expect((await alone.get('/settings/sessions')).text).not.toContain('href="/o/');
  });
});

describe('the live part of a page', () => {
  it('makes the browser load the page again when the session has ended', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const answer = await fetch(`${portal.url}/o/${tenant.id}/findings/${id}/live`, {
      headers: { 'hx-request': 'true' },
    });
    expect([answer.status, answer.headers.get('hx-refresh')]).toEqual([401, 'true']);
  });
});
