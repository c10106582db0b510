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

const fields = {
  name: 'Board',
  kind: 'jira',
  address: 'https://example.atlassian.net',
  project: 'SEC',
  issue_type: 'Task',
  user: 'assay@example.com',
  token: 'a-secret-token',
  types: 'finding',
  severity: 'high',
  labels: '',
  event: '',
  priorities: 'critical = Highest\nhigh = High',
  ticket_labels: 'security, web',
  component: '',
  assignee: '',
  wont_do: "Won't Do",
  regression: 'reopen',
  daily_limit: '50',
  shows_asset: 'true',
};

async function fixture() {
  const tenant = await make.organization();
  return { tenant, base: `/o/${tenant.id}/trackers`, browser: await browserOf(tenant, 'admin') };
}

const rowOf = async ({ id }: Tenant) =>
  (await query<Record<string, unknown>>('SELECT * FROM trackers WHERE organization_id = $1', [id]))[0];

/** As after a test. */
const activate = ({ id }: Tenant) =>
  query("UPDATE trackers SET state = 'active', pause_reason = NULL, tested = now() WHERE organization_id = $1", [id]);

describe('the pages of trackers', () => {
  it('create one, show what a ticket says, and never its credentials', async () => {
    const { tenant, base, browser } = await fixture();
    expect(plain((await browser.get(base)).text)).toContain('No trackers yet');
    expect(plain((await browser.get(`${base}/new`)).text)).toContain('A ticket looks like this');
    await browser.submit(`${base}/new`, base, fields);
    const row = await rowOf(tenant);
    expect(row).toMatchObject({
      priorities: { critical: 'Highest', high: 'High' },
      ticket_labels: ['security', 'web'],
      details: ['asset'],
      wont_do: ["won't do"],
      automatic: false,
      pause_reason: 'untested',
    });
    const page = await browser.get(`${base}/${String(row?.['id'])}`);
    expect(page.text).not.toContain('a-secret-token');
    expect(plain(page.text)).toContain('Its settings were not tested');
    expect(plain(page.text)).toContain('Asset: shop.example.com');
    expect(plain((await browser.get(base)).text)).toContain('Board Jira Cloud SEC Paused');
  });

  it('keep the credentials when the fields are left empty, and refuse lines that are no priorities', async () => {
    const { tenant, base, browser } = await fixture();
    await browser.submit(`${base}/new`, base, fields);
    const one = `${base}/${String((await rowOf(tenant))?.['id'])}`;
    const { token: _token, user: _user, kind: _kind, ...rest } = fields;
    await browser.submit(one, one, { ...rest, name: 'Renamed', automatic: 'true' });
    const row = await rowOf(tenant);
    expect(row).toMatchObject({ name: 'Renamed', automatic: true });
    expect(row?.['sealed']).not.toBeNull();
    const refused = await browser.submit(one, one, { ...rest, priorities: 'Highest' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('critical = Highest');
  });

  it('are for admins', async () => {
    const { tenant, base } = await fixture();
    expect((await (await browserOf(tenant, 'member')).get(base)).status).toBe(403);
  });
});

describe('the page of a finding', () => {
  it('opens its ticket, shows its state, and unlinks it', async () => {
    const { tenant, base, browser } = await fixture();
    const { id } = await make.finding(tenant.id);
    const page = `/o/${tenant.id}/findings/${id}`;
    expect((await browser.get(page)).text).not.toContain('Open or link');
    await browser.submit(`${base}/new`, base, fields);
    await activate(tenant);
    const member = await browserOf(tenant, 'member');
    const trackerId = String((await rowOf(tenant))?.['id']);
    expect((await (await browserOf(tenant, 'viewer')).get(page)).text).not.toContain('Open or link');
    await member.submit(page, `${page}/ticket`, { tracker_id: trackerId, key: '' });
    expect(plain((await member.get(page)).text)).toContain('It is not opened yet.');
    await query(
      "UPDATE tickets SET error = 'The tracker refuses the request.', next_attempt = NULL WHERE finding_id = $1",
      [id],
    );
    expect(plain((await member.get(page)).text)).toContain('The tracker refuses the request.');
    await member.submit(page, `${page}/ticket/retry`);
    await query("UPDATE tickets SET state = 'open', key = 'SEC-1', remote_id = '1', url = '' WHERE finding_id = $1", [
      id,
    ]);
    expect(plain((await member.get(page)).text)).toContain('SEC-1 Open.');
    await member.submit(page, `${page}/ticket/unlink`);
    expect((await member.get(page)).text).toContain('Open or link');
  });
});

it('the list of findings shows those without a ticket, and those with one', async () => {
  const { tenant, base, browser } = await fixture();
  const [one, other] = [
    await make.finding(tenant.id, { title: 'With a ticket of its own' }),
    await make.finding(tenant.id, { title: 'Nobody works on it' }),
  ];
  await browser.submit(`${base}/new`, base, fields);
  await activate(tenant);
  const { client } = await tenant.as('member');
  expect((await client.post(`/v1/findings/${one.id}/ticket`, {})).status).toBe(202);
  const idsOf = async (ticket: string) =>
    (await client.get(`/v1/organizations/${tenant.id}/findings/?ticket=${ticket}`)).body.findings.map(
      ({ id }: { id: number }) => id,
    );
  expect([await idsOf('any'), await idsOf('none')]).toEqual([[one.id], [other.id]]);
  const list = plain((await browser.get(`/o/${tenant.id}/findings?ticket=none`)).text);
  expect(list).toContain('Nobody works on it');
  expect(list).toContain('Without a ticket');
  expect(list).not.toContain('With a ticket of its own');
});
