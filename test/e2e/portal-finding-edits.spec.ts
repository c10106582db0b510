import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';
import { type Browser, signedInAs, usePortal } from '../support/portal';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

const VECTOR = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
/** As a browser sends the form with nothing changed but its text. */
const fields = { title: 'Ours', rating: 'keep', severity: 'medium' };

async function fixture() {
  const tenant = await make.organization();
  const member = await tenant.as('member');
  const browser = await signedInAs(api, portal, member);
  const read = async (id: number) => (await member.client.get(`/v1/findings/${id}/`)).body.findings[0];
  return { tenant, member, browser, read, base: `/o/${tenant.id}/findings` };
}

describe('the form of a finding', () => {
  it('shows what the finding says, saves what a person writes, and shows the change and its author', async () => {
    const { tenant, browser, read, base } = await fixture();
    const { id } = await make.finding(tenant.id, { title: 'Old words here', md: 'Some *text*.', cvssVector: VECTOR });
    const page = await browser.get(`${base}/${id}/edit`);
    expect(page.text).toContain('value="Old words here"');
    expect(page.text).toContain('Some *text*.</textarea>');
    expect(page.text).toContain('As it is: Critical 9.8');
    const written = { remediation: 'Turn it **off**.', evidence: '<i>\npassword=hunter22', cwe: '79' };
    const answer = await browser.submit(`${base}/${id}/edit`, `${base}/${id}/edit`, {
      ...fields,
      title: 'New words here',
      md: 'Some *text*.',
      ...written,
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${base}/${id}`]);
    expect(await read(id)).toMatchObject({ title: 'New words here', severity: 'critical', score: 9.8, cwe: 79 });
    const { text } = await browser.get(`${base}/${id}`);
    expect(text).toContain('<p>Turn it <strong>off</strong>.</p>');
    expect(text).toMatch(
      /Pasted by .*No check has seen this, and no signature covers it\..*&lt;i>\npassword=\[redacted\]/s,
    );
    expect(text).toContain('<del>Old</del><ins>New</ins> words here');
  });

  it('previews Markdown and the score of a calculator without scripts, keeps what was typed, and saves nothing', async () => {
    const { tenant, browser, read, base } = await fixture();
    const { id } = await make.finding(tenant.id, { severity: 'low' });
    const before = await read(id);
    const action = `${base}/${id}/edit`;
    const hidden = /name="csrf" value="([^"]*)"/.exec((await browser.get(action)).text)?.[1] ?? '';
    const typed = { ...fields, csrf: hidden, version: 'never', md: '**Bold** <script>alert(1)</script>' };
    const metrics = { v4_av: 'N', v4_ac: 'L', v4_at: 'N', v4_pr: 'N', v4_ui: 'N' };
    const impacts = { v4_vc: 'H', v4_vi: 'H', v4_va: 'H', v4_sc: 'N', v4_si: 'N', v4_sa: 'N' };
    const preview = await browser.post(`${action}/preview`, { ...typed, rating: '4.0', ...metrics, ...impacts });
    expect(preview.status).toBe(200);
    expect(preview.text).toContain('<strong>Bold</strong>');
    expect(preview.text).not.toContain('<script>alert');
    expect(preview.text).toContain('CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N');
    expect(preview.text).toContain('9.3');
    expect(preview.text).toContain('value="Ours"');
    expect(
      (await browser.post(`${action}/preview`, { ...typed, rating: 'vector', cvss_vector: 'CVSS:3.1/AV:N' })).text,
    ).toContain('cvss_vector lacks AC');
    expect(await read(id)).toEqual(before);
    const saved = await browser.submit(action, action, { ...fields, rating: '4.0', ...metrics, ...impacts });
    expect(saved.status).toBe(303);
    expect(await read(id)).toMatchObject({ severity: 'critical', score: 9.3 });
  });

  it('shows a refused form again with what was typed: another edit meanwhile, no title, a lower severity', async () => {
    const { tenant, member, browser, base } = await fixture();
    const location = 'https://example.com/';
    const { id } = await make.finding(tenant.id, {
      checkId: 'exposed-git',
      checkDefinition: { location },
      severity: 'high',
    });
    const action = `${base}/${id}/edit`;
    const refused = async (more: object): Promise<[number, string]> => {
      const { status, text } = await browser.submit(action, action, { ...fields, md: 'Typed text.', ...more });
      expect(text).toContain('Typed text.</textarea>');
      return [status, text];
    };
    expect(await refused({ title: '' })).toEqual([400, expect.stringContaining('must have 1 to 500 characters')]);
    const [status, text] = await refused({ rating: 'severity', severity: 'low', reason: 'x' });
    expect([status, text]).toEqual([403, expect.stringContaining('Only an admin may lower the severity')]);
    await member.client.patch(`/v1/findings/${id}/`, { title: 'Of another person' });
    const late = await refused({ version: 'never' });
    expect(late).toEqual([412, expect.stringContaining('Another person has edited this finding')]);
  });

  it('marks what is pinned, and goes back to what the scanner says by a click', async () => {
    const { tenant, member, browser, read, base } = await fixture();
    const location = 'https://example.com/';
    const draft = { checkId: 'exposed-git', checkDefinition: { location }, severity: 'high', title: 'By the scanner' };
    const { id } = await make.finding(tenant.id, draft);
    await member.client.patch(`/v1/findings/${id}/`, { title: 'By us', severity: 'critical' });
    const { text } = await browser.get(`${base}/${id}`);
    expect(text).toContain('Pinned: title, severity');
    expect(text).toContain('By the scanner</bdi>');
    const back = await browser.submit(`${base}/${id}`, `${base}/${id}/edit/unpin`, { field: 'title' });
    expect(back.status).toBe(303);
    expect(await read(id)).toMatchObject({
      title: 'By the scanner',
      severity: 'critical',
      edited: { pinned: ['severity'] },
    });
    const viewer = await signedInAs(api, portal, await tenant.as('viewer'));
    expect((await viewer.get(`${base}/${id}`)).text).not.toContain(`${base}/${id}/edit`);
  });
});

describe('a new finding', () => {
  it('is recorded on an asset of the organization, with its texts, and in an event', async () => {
    const { tenant, browser, read, base } = await fixture();
    const asset = await make.asset(tenant.id);
    const event = await make.event(tenant.id, { status: 'running' });
    expect((await browser.get(base)).text).toContain(`href="${base}/new"`);
    const written = { title: 'By hand', md: 'Text.', remediation: 'Fix it.', rating: 'vector', cvss_vector: VECTOR };
    const answer = await browser.submit(`${base}/new`, `${base}/new`, {
      ...written,
      asset_id: String(asset.id),
      event: event.slug,
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.stringMatching(/\/findings\/\d+$/)]);
    const id = Number(answer.headers.get('location')?.split('/').at(-1));
    expect(await read(id)).toMatchObject({ title: 'By hand', score: 9.8, asset_id: asset.id, event_id: event.id });
    expect((await browser.get(`${base}/${id}`)).text).toContain('<p>Fix it.</p>');
    // The same again is the same finding, and keeps its texts.
    const again = { ...written, md: 'Other.', asset_id: String(asset.id) };
    const second = await browser.submit(`${base}/new`, `${base}/new`, again);
    expect(second.headers.get('location')).toBe(`${base}/${id}`);
    expect((await read(id)).md).toBe('Text.');
  });

  it('is on no asset and in no event of another organization, also one of the same person', async () => {
    const { tenant, member, browser, base } = await fixture();
    const other = await make.organization();
    await make.membership(member.userId, other.id, 'owner');
    const [asset, foreign] = [await make.asset(tenant.id), await make.asset(other.id)];
    const event = await make.event(other.id, { status: 'running' });
    const record = async (more: Record<string, string>): Promise<number> =>
      (await browser.submit(`${base}/new`, `${base}/new`, { title: 'x', rating: 'severity', severity: 'low', ...more }))
        .status;
    expect(await record({ asset_id: String(foreign.id) })).toBe(404);
    expect(await record({ asset_id: String(foreign.id), event: event.slug })).toBe(404);
    expect(await record({ asset_id: String(asset.id), event: event.slug })).toBe(404);
    expect(await record({})).toBe(400);
    const viewer = await signedInAs(api, portal, await tenant.as('viewer'));
    const denied = await viewer.submit(`${base}/new`, `${base}/new`, {
      title: 'x',
      rating: 'severity',
      severity: 'low',
      asset_id: String(asset.id),
    });
    expect(denied.status).toBe(403);
  });
});

describe('templates of findings', () => {
  const texts = { name: 'XSS', title: 'Script in <name>', cwe: '79', md: '**Bold** <b>', remediation: 'Escape it.' };

  async function withTemplate() {
    const place = await fixture();
    const admin = await tenantAdmin(place.tenant);
    const page = `/o/${place.tenant.id}/settings/findings/templates`;
    expect((await admin.submit(`${page}/new`, page, { ...texts, cvss_vector: VECTOR })).status).toBe(303);
    const [{ id } = { id: 0 }] = await query<{ id: number }>(
      'SELECT id FROM finding_templates WHERE organization_id = $1',
      [place.tenant.id],
    );
    return { ...place, admin, page, id };
  }

  /** For forms that a page does not have. */
  const csrfOf = async (browser: Browser, page: string): Promise<string> =>
    /name="csrf" value="([^"]*)"/.exec((await browser.get(page)).text)?.[1] ?? '';

  const tenantAdmin = async (tenant: Tenant) => signedInAs(api, portal, await tenant.as('admin'));

  it('are written by admins, fill the form of a new finding, and are changed and deleted', async () => {
    const { tenant, browser, admin, page, id, base } = await withTemplate();
    expect((await admin.get(`/o/${tenant.id}/settings/findings`)).text).toContain(`href="${page}"`);
    expect((await browser.get(page)).text).toContain(`href="${page}/${id}">XSS</a>`);
    expect((await browser.get(`${base}/new`)).text).toContain(`<option value="${id}">XSS (CWE-79)</option>`);
    const { text } = await browser.get(`${base}/new?template=${id}`);
    for (const part of [
      'value="Script in &lt;name>"',
      '**Bold** &lt;b></textarea>',
      'Escape it.</textarea>',
      'value="79"',
    ])
      expect(text).toContain(part);
    expect(text).toContain(`value="${VECTOR}"`);
    expect(text).toContain('<option value="vector" selected');
    const changed = { ...texts, name: 'Scripts', severity: 'low' };
    expect((await admin.submit(`${page}/${id}`, `${page}/${id}`, changed)).status).toBe(303);
    expect((await browser.get(`${base}/new?template=${id}`)).text).toContain('<option value="low" selected');
    expect((await admin.submit(`${page}/${id}`, `${page}/${id}/delete`)).status).toBe(303);
    expect((await browser.get(`${base}/new?template=${id}`)).status).toBe(404);
    const entries = await query(
      `SELECT operation, resource_id AS id, metadata FROM audit_logs
       WHERE organization_id = $1 AND resource_type = 'finding_template' ORDER BY timestamp`,
      [tenant.id],
    );
    expect(entries).toMatchObject([
      { operation: 'finding_template.create', id: String(id), metadata: { name: 'XSS' } },
      {
        operation: 'finding_template.change',
        id: String(id),
        metadata: { name: 'XSS', changed: ['name', 'cvssVector', 'severity'] },
      },
      { operation: 'finding_template.delete', id: String(id), metadata: { name: 'Scripts' } },
    ]);
  });

  it('belong to their organization, also for a person of both', async () => {
    const { member, browser, admin, page, id } = await withTemplate();
    const other = await make.organization();
    await make.membership(member.userId, other.id, 'owner');
    const foreign = `/o/${other.id}/settings/findings/templates`;
    expect(await browser.statusOf(`/o/${other.id}/findings/new?template=${id}`)).toBe(404);
    expect(await browser.statusOf(`${foreign}/${id}`)).toBe(404);
    for (const path of [`${foreign}/${id}`, `${foreign}/${id}/delete`])
      expect((await browser.post(path, { ...texts, csrf: await csrfOf(browser, foreign) })).status).toBe(404);
    expect((await admin.get(`${page}/${id}`)).text).toContain(VECTOR);
  });

  it('are not changed by members and viewers, who read them', async () => {
    const { tenant, browser, page, id } = await withTemplate();
    const viewer = await signedInAs(api, portal, await tenant.as('viewer'));
    for (const person of [browser, viewer]) {
      const { text } = await person.get(`${page}/${id}`);
      expect(text).toContain('<pre>**Bold** &lt;b></pre>');
      expect(text).not.toContain(`action="${page}/${id}`);
      const sent = { ...texts, name: 'Other', csrf: await csrfOf(person, page) };
      for (const path of [page, `${page}/${id}`, `${page}/${id}/delete`])
        expect((await person.post(path, sent)).status).toBe(403);
      expect(await person.statusOf(`${page}/new`)).toBe(403);
    }
    const rows = await query('SELECT name FROM finding_templates WHERE organization_id = $1', [tenant.id]);
    expect(rows).toEqual([{ name: 'XSS' }]);
  });

  it('keep what was typed if they are refused: a taken name, no title, another severity, a wrong vector, the 201st', async () => {
    const { tenant, admin, page, id } = await withTemplate();
    const refused = async (more: object): Promise<[number, string]> => {
      const typed = { ...texts, name: 'New', md: 'Typed text.', ...more };
      const { status, text } = await admin.submit(`${page}/new`, page, typed);
      expect(text).toContain('Typed text.</textarea>');
      return [status, /role="alert">([^<]*)/.exec(text)?.[1] ?? ''];
    };
    expect(await refused({ name: 'XSS' })).toEqual([409, expect.stringContaining('is that of another template')]);
    expect(await refused({ title: ' ' })).toEqual([400, expect.stringContaining('Title must')]);
    expect(await refused({ title: 'x'.repeat(501) })).toEqual([400, expect.stringContaining('Title must')]);
    expect(await refused({ cvss_vector: 'CVSS:3.1/AV:N' })).toEqual([400, expect.stringContaining('lacks AC')]);
    const low = { severity: 'low', cvss_vector: VECTOR };
    expect(await refused(low)).toEqual([400, expect.stringContaining('low contradicts the score 9.8')]);
    await query(
      `INSERT INTO finding_templates (organization_id, name, title) SELECT $1, 'T' || n, 'T' FROM generate_series(1, 198) n`,
      [tenant.id],
    );
    expect((await admin.submit(`${page}/new`, page, { ...texts, name: 'The 200th' })).status).toBe(303);
    expect(await refused({})).toEqual([422, expect.stringContaining('The organization has 200 templates')]);
    const taken = await admin.submit(`${page}/${id}`, `${page}/${id}`, { ...texts, name: 'T7', md: 'Typed too.' });
    expect([taken.status, taken.text]).toEqual([409, expect.stringContaining('Typed too.</textarea>')]);
  });
});

it('an admin sets what accepting a risk requires', async () => {
  const { tenant } = await fixture();
  const admin = await tenant.as('admin');
  const browser = await signedInAs(api, portal, admin);
  const page = `/o/${tenant.id}/settings/findings`;
  expect((await browser.submit(page, `${page}/acceptance`, { comment: 'true' })).status).toBe(303);
  const { body } = await admin.client.get(`/v1/organizations/${tenant.id}/settings/acceptance`);
  expect(body).toEqual({ comment: true, until: false });
});
