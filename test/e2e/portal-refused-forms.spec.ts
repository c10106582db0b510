import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';
import { Browser, signedInAs, usePortal } from '../support/portal';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

const TOO_LONG = 'x'.repeat(2_001);

const browserOf = async (tenant: Tenant, role: 'member' | 'admin'): Promise<Browser> =>
  signedInAs(api, portal, await tenant.as(role));

/** The part of the page that is the form with this action, and with the field. */
const formIn = (html: string, action: string, field = ''): string =>
  [...html.matchAll(/<form(?=[^>]* method="post")[^>]* action="([^"]*)"[^>]*>([^]*?)<\/form>/g)].find(
    ([, to, content = '']) =>
      to === action && new RegExp(`<(?:input|select|textarea)[^>]* name="${field}`).test(content),
  )?.[2] ?? '';

/** What a form sends when its button is pressed: the values of its fields by name. */
function valuesIn(form: string): Record<string, string> {
  const inputs = [...form.matchAll(/<input(?![^>]* type="(?:hidden|checkbox)")[^>]*>/g)].map(([tag]) => [
    / name="([^"]*)"/.exec(tag)?.[1] ?? '',
    / value="([^"]*)"/.exec(tag)?.[1] ?? '',
  ]);
  const areas = [...form.matchAll(/<textarea[^>]* name="([^"]*)"[^>]*>([^<]*)</g)].map(([, name, text]) => [
    name,
    text,
  ]);
  const selects = [...form.matchAll(/<select[^>]* name="([^"]*)"[^>]*>([^]*?)<\/select>/g)].map(([, name, options]) => [
    name,
    (/<option value(?:="([^"]*)")? selected/.exec(options ?? '') ??
      /<option value(?:="([^"]*)")?/.exec(options ?? ''))?.[1] ?? '',
  ]);
  return Object.fromEntries([...inputs, ...areas, ...selects]) as Record<string, string>;
}

/** The field that is marked, with its reason. */
function refusedFieldIn(form: string): [string | undefined, string | undefined] {
  const [, name] = /<(?:input|select|textarea)(?=[^>]* aria-invalid="true")[^>]* name="([^"]*)"/.exec(form) ?? [];
  const [, reason] = /<p class="form-error" role="alert">([^<]*)</.exec(form) ?? [];
  return [name, reason];
}

describe('a refused form keeps what was typed, and marks the field', () => {
  it('or says above its fields, in words of the page, what is wrong with a field that it does not show', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const browser = await browserOf(tenant, 'member');
    const page = `/o/${tenant.id}/findings/${id}`;
    const { status, text } = await browser.submit(page, `${page}/labels`, { labels: 'kept', version: 'x'.repeat(65) });
    const form = formIn(text, `${page}/labels`);
    expect(status).toBe(400);
    expect(refusedFieldIn(form)).toEqual([undefined, expect.stringMatching(/^Version must be a string of 1 to 64/)]);
    expect(valuesIn(form)).toEqual({ labels: 'kept' });
    expect(text.match(/class="form-error"/g)).toHaveLength(1);
  });

  it('of a change of the status, whose menu is open at the chosen status', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const browser = await browserOf(tenant, 'admin');
    const page = `/o/${tenant.id}/findings/${id}`;
    const typed = { status: '6', until: '2020-01-01', comment: 'Behind the <firewall>\nsince May.' };
    const { status, text } = await browser.submit(page, `${page}/status`, typed);
    const form = formIn(text, `${page}/status`, 'until');
    expect(status).toBe(400);
    const comment = 'Behind the &lt;firewall>\nsince May.';
    expect(valuesIn(form)).toEqual({ until: '2020-01-01', justification: '', comment });
    expect(refusedFieldIn(form)).toEqual(['until', expect.stringMatching(/^Last day must be /)]);
    expect(text).toContain('<details id="accept-risk" open><summary>Accept the risk</summary>');
  });

  it('of a comment, and not of the other form with a comment', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const browser = await browserOf(tenant, 'admin');
    const page = `/o/${tenant.id}/findings/${id}`;
    const { text } = await browser.submit(page, `${page}/comments`, { comment: TOO_LONG });
    const form = formIn(text, `${page}/comments`);
    expect(valuesIn(form)).toEqual({ comment: TOO_LONG });
    expect(refusedFieldIn(form)).toEqual(['comment', expect.stringMatching(/^Comment must /)]);
    expect(valuesIn(formIn(text, `${page}/status`, 'comment'))).toMatchObject({ comment: '' });
  });

  it('of a due date and the labels, and names what was refused of an assignment', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const { userId } = await tenant.as('viewer');
    const browser = await browserOf(tenant, 'member');
    const page = `/o/${tenant.id}/findings/${id}`;
    const outdated = { version: 'outdated' };
    for (const [field, typed] of [
      ['due-date', { due_date: '2031-01-31' }],
      ['labels', { labels: 'shop, pci' }],
    ] as const) {
      const { status, text } = await browser.submit(page, `${page}/${field}`, { ...outdated, ...typed });
      expect([status, valuesIn(formIn(text, `${page}/${field}`, Object.keys(typed)[0]))]).toEqual([412, typed]);
    }
    const assignment = { ...outdated, assignee_id: String(userId) };
    const { status, text } = await browser.submit(page, `${page}/assignee`, assignment);
    expect([status, text]).toEqual([412, expect.stringContaining('Another person has changed this')]);
  });

  it('of a verdict by hand', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const browser = await browserOf(tenant, 'admin');
    const page = `/o/${tenant.id}/findings/${id}`;
    await browser.submit(page, `${page}/retest`);
    const typed = { result: 'inconclusive', comment: TOO_LONG };
    const { status, text } = await browser.submit(page, `${page}/retest/verdict`, typed);
    const form = formIn(text, `${page}/retest/verdict`);
    expect([status, valuesIn(form)]).toEqual([400, typed]);
    expect(refusedFieldIn(form)).toEqual(['comment', expect.stringMatching(/^Reason must /)]);
  });

  it('of a change of the selection, whose menu is open', async () => {
    const tenant = await make.organization();
    const ids = [await make.finding(tenant.id), await make.finding(tenant.id)].map(({ id }) => String(id));
    const { userId } = await tenant.as('viewer');
    const browser = await browserOf(tenant, 'admin');
    const [list, bulk] = [`/o/${tenant.id}/findings`, `/o/${tenant.id}/findings/bulk`];
    const typed = {
      status: '7',
      comment: 'Both.',
      assignee_id: String(userId),
      due_date: '2031-01-31',
      labels: 'y'.repeat(50),
    };
    const { text } = await browser.submit(list, bulk, [
      ['finding', ids[0] ?? ''],
      ['action', 'add_labels'],
      ...Object.entries(typed),
    ]);
    const form = formIn(text, bulk);
    expect(valuesIn(form)).toEqual({ ...typed, until: '' });
    expect([...form.matchAll(/name="finding" value="(\d+)" checked/g)].map(([, id]) => id)).toEqual([ids[0]]);
    expect(
      [...form.matchAll(/<details class="dropdown upwards" open><summary[^>]*>(\w+)</g)].map(([, of]) => of),
    ).toEqual(['Labels']);
    expect(refusedFieldIn(form)).toEqual(['labels', expect.stringMatching(/^Labels must have 1 to 40 characters/)]);
  });

  it('of a saved view, and leaves the names in the other forms', async () => {
    const tenant = await make.organization();
    await make.finding(tenant.id, { severity: 'high' });
    const browser = await browserOf(tenant, 'member');
    const [list, views] = [`/o/${tenant.id}/findings?severity=high`, `/o/${tenant.id}/findings/views`];
    for (const name of ['One', 'Two']) await browser.submit(list, views, { name });
    const again = await browser.submit(list, views, { name: 'One' });
    expect([again.status, valuesIn(formIn(again.text, views))]).toEqual([409, { name: 'One' }]);
    expect(again.text).toMatch(/<details class="dropdown" open>/);
    const rows = await query<{ id: number }>('SELECT id FROM saved_views WHERE organization_id = $1 ORDER BY name', [
      tenant.id,
    ]);
    const [one, two] = rows.map(({ id }) => `${views}/${id}/rename`);
    const renamed = await browser.submit(views, one ?? '', { name: 'Two' });
    expect(renamed.status).toBe(409);
    expect(valuesIn(formIn(renamed.text, one ?? ''))).toEqual({ name: 'Two' });
    expect(valuesIn(formIn(renamed.text, two ?? ''))).toEqual({ name: 'Two' });
    expect(renamed.text.match(/role="alert"/g)).toHaveLength(1);
  });

  it('of an asset, whose field is named as in the API', async () => {
    const tenant = await make.organization();
    const browser = await browserOf(tenant, 'member');
    const assets = `/o/${tenant.id}/assets`;
    const typed = { asset_value: 'no domain!', type: 'domain', tier: '2' };
    const { status, text } = await browser.submit(assets, assets, typed);
    const form = formIn(text, assets);
    expect([status, valuesIn(form)]).toEqual([400, typed]);
    expect(refusedFieldIn(form)).toEqual(['asset_value', expect.stringMatching(/^Value must be a domain name/)]);
  });

  it('of a scan through a beacon, with its checks', async () => {
    const tenant = await make.organization();
    const admin = await tenant.as('admin');
    const beacon = (
      await admin.client.post(`/v1/organizations/${tenant.id}/beacons/`, {
        name: 'office',
        allowed_cidrs: ['10.1.0.0/16'],
      })
    ).body;
    const browser = await signedInAs(api, portal, admin);
    const scans = `/o/${tenant.id}/scans`;
    const typed = { url: 'https://10.1.0.1/', beacon_id: String(beacon.id), checks: 'no-such-check' };
    const { status, text } = await browser.submit(scans, scans, typed);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(valuesIn(formIn(text, scans))).toMatchObject(typed);
  });
});
