import { jpegOf, pngOf } from '../../src/kernel/testing/pictures';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { type Browser, signedInAs, usePortal } from '../support/portal';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

const fileOf = (content: Buffer | string, name: string): File =>
  new File([typeof content === 'string' ? content : new Uint8Array(content)], name);

async function fixture() {
  const tenant = await make.organization();
  const member = await tenant.as('member');
  const browser = await signedInAs(api, portal, member);
  const base = `/o/${tenant.id}/findings`;
  const filesOf = async (id: number) =>
    (await member.client.get(`/v1/organizations/${tenant.id}/findings/${id}/attachments`)).body.attachments;
  return { tenant, member, browser, base, filesOf };
}

/** Sends a form of a page with files, as a browser does. */
async function send(browser: Browser, page: string, action: string, fields: Record<string, string>, files: File[]) {
  const form = new FormData();
  const { text } = await browser.get(page);
  form.set('csrf', /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const file of files) form.append('file', file);
  return browser.postForm(action, form, { origin: portal.url, referer: portal.url + page });
}

const idIn = (location: string | null): number => Number(/\/findings\/(\d+)/.exec(location ?? '')?.[1]);

describe('the files on the page of a finding', () => {
  it('are attached, shown if they are pictures, downloaded, and deleted by who attached them', async () => {
    const { tenant, browser, base } = await fixture();
    const { id } = await make.finding(tenant.id);
    const page = `${base}/${id}`;
    const url = `${page}/attachments`;
    const png = pngOf(40, 20);
    const attached = await browser.upload(page, url, {}, fileOf(png, 'C:\\shots\\login\u202e.png'));
    expect([attached.status, attached.headers.get('location')]).toEqual([303, `${page}#attachments`]);
    await browser.upload(page, url, {}, fileOf('<svg xmlns="http://www.w3.org/2000/svg"/>', 'x.svg'));
    const { text } = await browser.get(page);
    expect(text).toContain('x.svg was attached.');
    const [first, second] = [...text.matchAll(/attachments\/(\d+)" download/g)].map(([, one]) => Number(one));
    expect(text).toContain(`<img src="${url}/${first}/picture" alt="login.png" loading="lazy"`);
    expect(text).not.toContain(`${url}/${second}/picture`);
    expect(text).toContain('attached a file');
    const shown = Object.fromEntries((await browser.get(`${url}/${first}/picture`)).headers);
    expect(shown).toMatchObject({ 'content-type': 'image/png', 'content-disposition': 'inline' });
    const downloaded = Object.fromEntries((await browser.get(`${url}/${second}`)).headers);
    expect(downloaded).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename=x.svg',
    });
    for (const headers of [shown, downloaded])
      expect(headers).toMatchObject({
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
      });
    expect(await browser.statusOf(`${url}/${second}/picture`)).toBe(404);
    expect((await browser.submit(page, `${url}/${second}/delete`)).status).toBe(303);
    expect((await browser.get(page)).text).toContain('x.svg was deleted.');
  });

  it('are only read by viewers, and those of others only deleted by admins', async () => {
    const { tenant, browser, base, filesOf } = await fixture();
    const { id } = await make.finding(tenant.id);
    const page = `${base}/${id}`;
    const url = `${page}/attachments`;
    await browser.upload(page, url, {}, fileOf('x', 'notes.txt'));
    const [{ id: file }] = await filesOf(id);
    for (const role of ['viewer', 'member'] as const) {
      const other = await signedInAs(api, portal, await tenant.as(role));
      const { text } = await other.get(page);
      expect(text).toContain(`href="${url}/${file}" download`);
      expect(text).not.toContain(`action="${url}/${file}/delete"`);
      expect(text.includes(`action="${url}"`)).toBe(role === 'member');
      const csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
      expect((await other.post(`${url}/${file}/delete`, { csrf })).status).toBe(403);
      if (role === 'viewer') expect((await other.upload(page, url, {}, fileOf('x', 'x'))).status).toBe(403);
    }
    const admin = await signedInAs(api, portal, await tenant.as('admin'));
    expect((await admin.submit(page, `${url}/${file}/delete`)).status).toBe(303);
    expect(await filesOf(id)).toEqual([]);
  });

  it('are refused with the reason on the page: none, too large, from a form of another site', async () => {
    const { tenant, browser, base, filesOf } = await fixture();
    const { id } = await make.finding(tenant.id);
    const page = `${base}/${id}`;
    const url = `${page}/attachments`;
    expect(await browser.upload(page, url, {}, fileOf('', ''))).toMatchObject({
      status: 400,
      text: expect.stringContaining('Choose a file.'),
    });
    expect(await browser.upload(page, url, {}, fileOf(Buffer.alloc(10_485_761), 'large'))).toMatchObject({
      status: 413,
      text: expect.stringContaining('The file must be at most 10485760 bytes.'),
    });
    const form = new FormData();
    form.append('file', fileOf('x', 'x'));
    expect((await browser.postForm(url, form)).status).toBe(403);
    expect(await filesOf(id)).toEqual([]);
  });
});

describe('the form of a new finding', () => {
  const stated = { title: 'By hand', rating: 'severity', severity: 'high' };

  it('chooses nothing by itself, but the asset whose page led to it', async () => {
    const { tenant, browser, base } = await fixture();
    const asset = await make.asset(tenant.id);
    const { text } = await browser.get(`${base}/new`);
    const selectOf = (name: string, from = text): string =>
      new RegExp(`<select[^>]* name="${name}"[^>]*>[^]*?</select>`).exec(from)?.[0] ?? '';
    for (const name of ['asset_id', 'severity', 'v3_av', 'v3_a', 'v4_sc'])
      expect(selectOf(name)).toContain('<option value selected>Choose</option>');
    expect(selectOf('asset_id')).toMatch(/^<select[^>]* required/);
    const page = await browser.get(`/o/${tenant.id}/assets/${asset.id}`);
    expect(page.text).toContain(`href="${base}/new?asset_id=${asset.id}"`);
    const preset = await browser.get(`${base}/new?asset_id=${asset.id}`);
    expect(selectOf('asset_id', preset.text)).toMatch(new RegExp(`<option value="${asset.id}" selected`));
  });

  it('shows the score while it is chosen, and refuses to record before', async () => {
    const { tenant, browser, base } = await fixture();
    const asset = await make.asset(tenant.id);
    const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get(`${base}/new`)).text)?.[1] ?? '';
    const metrics = { v3_av: 'N', v3_ac: 'L', v3_pr: 'N', v3_ui: 'N', v3_s: 'U', v3_c: 'H', v3_i: 'H' };
    const preview = (more: Record<string, string>) =>
      browser.post(
        `${base}/new/preview`,
        { csrf, rating: '3.1', ...metrics, ...more },
        { 'hx-request': 'true', origin: portal.url },
      );
    expect((await preview({})).text).toContain('Not chosen yet: 1.');
    expect((await preview({ v3_a: 'H' })).text).toMatch(/<div id="rated"[^]*Critical[^]*9\.8[^]*CVSS:3\.1\/AV:N/);
    const sent = { title: 'x', asset_id: String(asset.id), rating: '3.1', ...metrics, v3_a: '' };
    const refused = await send(browser, `${base}/new`, `${base}/new`, sent, []);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Availability must be chosen.')]);
    expect(refused.text).toMatch(/name="v3_av"[^]*?<option value="N" selected/);
  });

  it('records where it is, what was sent, and who fixes it until when', async () => {
    const { tenant, member, browser, base } = await fixture();
    const asset = await make.asset(tenant.id, { value: 'shop.example.com' });
    const fields = {
      ...stated,
      asset_id: String(asset.id),
      location: 'https://shop.example.com/search?q=1',
      parameter: 'q',
      request: 'GET /search?q=1 HTTP/1.1\r\nHost: shop.example.com',
      response: 'HTTP/1.1 200 OK',
      assignee_id: String(member.userId),
      labels: 'shop, pci',
      due_date: '2099-05-01',
    };
    const elsewhere = { ...fields, location: 'https://other.example.com/' };
    expect(await send(browser, `${base}/new`, `${base}/new`, elsewhere, [])).toMatchObject({
      status: 409,
      text: expect.stringContaining('URL is not on shop.example.com'),
    });
    const answer = await send(browser, `${base}/new`, `${base}/new`, fields, []);
    const id = idIn(answer.headers.get('location'));
    const { findings } = (await member.client.get(`/v1/findings/${id}/`)).body;
    expect(findings).toMatchObject([
      { title: 'By hand', assignee_id: member.userId, due_date: '2099-05-01', labels: ['pci', 'shop'] },
    ]);
    const { evidence } = (await member.client.get(`/v1/findings/${id}/edits`)).body;
    expect(evidence.text).toBe('GET /search?q=1 HTTP/1.1\nHost: shop.example.com\n\nHTTP/1.1 200 OK');
    const { sightings } = (await member.client.get(`/v1/findings/${id}/sightings`)).body;
    expect(sightings).toMatchObject([{ location: 'https://shop.example.com/search?q=1', parameter: 'q' }]);
    const { text } = await browser.get(`${base}/${id}`);
    expect(text).toContain('https://shop.example.com/search?q=1</code>');
    expect(text).toContain(', parameter <code');
  });

  it('attaches its files after the finding is recorded, and names each that is refused with the reason', async () => {
    const { tenant, member, browser, base, filesOf } = await fixture();
    const asset = await make.asset(tenant.id);
    const fields = { ...stated, asset_id: String(asset.id) };
    const files = [
      fileOf(jpegOf(40, 20), 'photo.jpg'),
      fileOf(Buffer.alloc(10_485_761, 'a'), 'too-large.bin'),
      fileOf('', 'empty.txt'),
      fileOf('<script>alert(1)</script>', '../<script>.html'),
    ];
    const answer = await send(browser, `${base}/new`, `${base}/new`, fields, files);
    expect(answer.status).toBe(303);
    const id = idIn(answer.headers.get('location'));
    expect(await filesOf(id)).toMatchObject([
      { name: 'photo.jpg', media_type: 'image/jpeg' },
      { name: 'script.html', media_type: null },
    ]);
    const { text } = await browser.get(`${base}/${id}`);
    expect(text).toContain('The finding was recorded. 2 files attached.');
    expect(text).toContain('too-large.bin was not attached: The file must be at most 10485760 bytes.');
    expect(text).toContain('empty.txt was not attached: The file is empty.');
    const entries = await query<{ operation: string; status: string }>(
      `SELECT operation, status FROM audit_logs WHERE actor_id = $1 AND operation IN ('finding.record', 'finding.attach')
       ORDER BY timestamp`,
      [String(member.userId)],
    );
    expect(entries.map(({ operation, status }) => `${operation} ${status}`)).toEqual([
      'finding.record success',
      'finding.attach success',
      'finding.attach failure',
      'finding.attach success',
    ]);
  });

  it('attaches none when the finding is refused, and says that they must be chosen again', async () => {
    const { tenant, browser, base } = await fixture();
    const sent = { ...stated, title: '', md: 'Typed text.' };
    const refused = await send(browser, `${base}/new`, `${base}/new`, sent, [fileOf('x', 'x.txt')]);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('Typed text.</textarea>');
    expect(refused.text).toContain('Choose them again: no file was sent.');
    expect(await query('SELECT 1 FROM finding_attachments WHERE organization_id = $1', [tenant.id])).toEqual([]);
  });
});
