import { useApi } from '../support/api';
import { Factories } from '../support/factories';
import { signedInAs, usePortal } from '../support/portal';

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

it('an admin sets what accepting a risk requires', async () => {
  const { tenant } = await fixture();
  const admin = await tenant.as('admin');
  const browser = await signedInAs(api, portal, admin);
  const page = `/o/${tenant.id}/settings/findings`;
  expect((await browser.submit(page, `${page}/acceptance`, { comment: 'true' })).status).toBe(303);
  const { body } = await admin.client.get(`/v1/organizations/${tenant.id}/settings/acceptance`);
  expect(body).toEqual({ comment: true, until: false });
});
