import { REPORT_SECTIONS } from '../../src/modules/reports';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { multiplyRows } from '../support/multiplied-rows';
import { signedInAs, usePortal } from '../support/portal';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

/** Of the first field with the name: what is in it, or what is selected. */
const textIn = (html: string, name: string): string | undefined =>
  new RegExp(`<textarea[^>]* name="${name}"[^>]*>([^<]*)</textarea>`).exec(html)?.[1];
const selectedIn = (html: string, name: string): string | undefined => {
  const [, options = ''] = new RegExp(`<select[^>]* name="${name}"[^>]*>([^]*?)</select>`).exec(html) ?? [];
  return /value="([^"]*)" selected/.exec(options)?.[1];
};
const isChecked = (html: string, name: string): boolean =>
  new RegExp(`<input(?=[^>]* name="${name}")[^>]* checked`).test(html);

describe('the form of a new report', () => {
  async function organization() {
    const tenant = await make.organization();
    const event = await make.event(tenant.id, { name: 'Pentest of the shop' });
    await make.finding(tenant.id, { title: 'Of the organization' });
    const browser = await signedInAs(api, portal, await tenant.as('member'));
    const reports = `/o/${tenant.id}/reports`;
    return { tenant, event, browser, reports, form: `${reports}/new` };
  }

  const order = { format: 'html', min_severity: 'critical' };

  it('sends the event that it shows, so that the report is about that event alone', async () => {
    const { tenant, event, browser, reports, form } = await organization();
    const { text } = await browser.get(form);
    const [, fields = ''] = new RegExp(`<form[^>]* action="${reports}"[^>]*>([^]*?)</form>`).exec(text) ?? [];
    expect(fields).toContain(`<option value="event ${event.slug}">Event Pentest of the shop</option>`);
    expect(fields).not.toContain('<input type="hidden" name="subject"');
    await browser.submit(form, reports, { ...order, subject: `event ${event.slug}` });
    expect(await query('SELECT event_id FROM reports WHERE organization_id = $1', [tenant.id])).toEqual([
      { event_id: event.id },
    ]);
  });

  it('keeps what was chosen when its findings are shown, a draft is wanted or another kind is chosen', async () => {
    const { event, browser, reports, form } = await organization();
    const chosen = {
      ...order,
      subject: `event ${event.slug}`,
      title: 'For the board',
      open_only: 'true',
      section_plan: 'true',
      summary: '',
      conclusion: 'My own words',
    };
    const again = async (url: string, more: Record<string, string> = {}) => {
      const { status, text } = await browser.submit(form, reports, { ...chosen, ...more }, url);
      expect([
        status,
        selectedIn(text, 'subject'),
        selectedIn(text, 'min_severity'),
        selectedIn(text, 'format'),
      ]).toEqual([200, chosen.subject, 'critical', 'html']);
      expect(text).toContain('value="For the board"');
      expect([isChecked(text, 'open_only'), isChecked(text, 'include_resolved')]).toEqual([true, false]);
      expect(text).not.toMatch(/role="alert"|Of the organization/);
      return text;
    };
    const shown = await again(`${form}?preset=full`);
    expect([textIn(shown, 'summary'), textIn(shown, 'conclusion')]).toEqual(['', 'My own words']);
    expect([isChecked(shown, 'section_plan'), isChecked(shown, 'section_scope')]).toEqual([true, false]);
    const drafted = await again(`${form}?preset=full&draft=true`);
    expect([textIn(drafted, 'summary'), textIn(drafted, 'conclusion')]).toEqual([
      expect.stringMatching(/^There are no findings\./),
      'My own words',
    ]);
    const management = await again(`${form}?preset=management`, { begin_with: 'preset', annex: 'full' });
    expect(isChecked(management, 'section_scope')).toBe(true);
    expect([selectedIn(management, 'annex'), selectedIn(shown, 'annex')]).toEqual(['none', 'full']);
    expect(management).toMatch(/aria-current="page"[^>]*>Management summary/);
  });

  const sizeIn = (html: string): string | undefined =>
    /<p id="report-size" role="status">([^<]*)<\/p>/.exec(html)?.[1]?.replaceAll('&#39;', "'");

  it('says before the generation how many findings its filter has, and what the annex shows', async () => {
    const { tenant, browser, reports, form } = await organization();
    await make.finding(tenant.id, { title: 'Critical', severity: 'critical' });
    await multiplyRows('findings', tenant.id, 3_100);
    const { text } = await browser.get(form);
    expect(sizeIn(text)).toBe(
      'This filter has 3,100 findings. The annex shows the 3,000 most urgent; the summary counts all.',
    );
    expect(text.indexOf('id="report-size"')).toBeLessThan(text.indexOf('Generate the report'));
    const chosen = { subject: 'organization', format: 'pdf', min_severity: 'none', include_resolved: 'true' };
    const sizeOf = async (more: Record<string, string>) => {
      const again = await browser.submit(form, reports, { ...chosen, ...more }, `${form}?preset=full`);
      expect(again.status).toBe(200);
      return sizeIn(again.text);
    };
    expect(await sizeOf({ format: 'html' })).toBe('This filter has 3,100 findings. The annex shows each of them.');
    expect(await sizeOf({ annex: 'none' })).toBe('This filter has 3,100 findings. The summary counts all of them.');
    expect(await sizeOf({ min_severity: 'cosmic' })).toBe('This filter has no findings.');
    expect(await sizeOf({ end_date: '2001-01-01', start_date: '2000-01-01' })).toBe('This filter has no findings.');
    expect(await sizeOf({ start_date: '2001-01-01', end_date: '2000-01-01' })).toMatch(/^This filter has 3,100/);
    expect(await sizeOf({ end_date: '2001-01-01' })).toMatch(/^Start date must be before/);
  });

  it('counts and offers only some of very many findings: the newest, and the most urgent', async () => {
    const { tenant, event, browser, form } = await organization();
    const { id } = await make.finding(tenant.id, { title: 'The oldest one', severity: 'critical' });
    await multiplyRows('findings', tenant.id, 10_001);
    const [first = id] = (
      await query<{ id: number }>('SELECT min(id) AS id FROM findings WHERE organization_id = $1', [tenant.id])
    ).map((row) => row.id);
    await query(`UPDATE findings SET severity = 2, priority = 4 WHERE organization_id = $1`, [tenant.id]);
    await query(`UPDATE findings SET severity = 5, priority = 1, title = 'The oldest one' WHERE id = $1`, [first]);
    const { text } = await browser.get(form);
    const end = 'in all: for fewer, choose a shorter period, a higher severity or one owner.';
    expect(sizeIn(text)).toBe(
      `This filter has 10,000 of the newest 10,000 findings. The annex shows at most the 3,000 most urgent. The summary counts at most 100,000 ${end}`,
    );
    expect(text).toContain('The 200 most urgent of 10,000+ findings.');
    expect(text.match(/name="left_out"/g)).toHaveLength(200);
    expect(/name="left_out" value="(\d+)"/.exec(text)?.[1]).toBe(String(first));
    // An event has its own findings alone.
    await query(
      `INSERT INTO event_findings (event_id, finding_id, organization_id, severity, priority, last_seen)
       SELECT $1, id, organization_id, severity, priority, '2999-01-02' FROM findings WHERE id = $2`,
      [event.id, first],
    );
    const ofEvent = (await browser.get(`${form}?subject=${encodeURIComponent(`event ${event.slug}`)}`)).text;
    expect(sizeIn(ofEvent)).toBe('This filter has 1 finding. The annex shows each of them.');
    expect(ofEvent.match(/name="left_out"/g)).toHaveLength(1);
  });

  it('shows scripts only the sentence about the size, and nothing of another organization', async () => {
    const { browser, form } = await organization();
    const { slug } = await make.event((await make.organization()).id);
    const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get(form)).text)?.[1] ?? '';
    const ask = (subject: string) =>
      browser.post(
        `${form}?preset=full`,
        { csrf, subject, format: 'pdf', min_severity: 'none' },
        { 'hx-request': 'true' },
      );
    const { text } = await ask('organization');
    expect(text).toBe('<p id="report-size" role="status">This filter has 1 finding. The annex shows each of them.</p>');
    expect((await ask(`event ${slug}`)).status).toBe(404);
  });

  it('orders only the summary without an annex, whatever the closed Customize contains', async () => {
    const { tenant, browser, reports, form } = await organization();
    const { text } = await browser.get(form);
    const [, customize = ''] =
      /<details class="advanced"><summary>Customize<\/summary>([^]*?)<\/details>/.exec(text) ?? [];
    expect(customize.match(/type="checkbox" name="section_/g)).toHaveLength(REPORT_SECTIONS.length);
    expect(text.split(customize).join('')).not.toContain('name="section_');
    const chosen = { ...order, subject: 'organization', section_plan: 'true', section_scope: 'true' };
    await browser.submit(form, reports, { ...chosen, annex: 'none' });
    await browser.submit(form, reports, { ...chosen, annex: 'full' });
    await browser.submit(form, reports, { ...order, subject: 'organization' });
    const rows = await query<{ sections: string[] }>(
      `SELECT options -> 'sections' AS sections FROM reports WHERE organization_id = $1 ORDER BY id`,
      [tenant.id],
    );
    expect(rows.map(({ sections }) => sections)).toEqual([['summary'], ['plan', 'scope'], [...REPORT_SECTIONS]]);
  });

  it('shows the findings of its event again when it is refused', async () => {
    const { event, browser, reports, form } = await organization();
    const subject = `event ${event.slug}`;
    const { status, text } = await browser.submit(form, reports, { ...order, subject, first_findings: 'x' });
    expect([status, selectedIn(text, 'subject')]).toEqual([400, subject]);
    expect(text).not.toContain('Of the organization');
  });

  it('prepares nothing for viewers or about an event of another organization', async () => {
    const { tenant, browser, reports, form } = await organization();
    const { slug } = await make.event((await make.organization()).id);
    const viewer = await signedInAs(api, portal, await tenant.as('viewer'));
    const csrf = /name="csrf" value="([^"]*)"/.exec((await viewer.get(reports)).text)?.[1] ?? '';
    expect((await viewer.post(form, { csrf, subject: 'organization' })).status).toBe(403);
    expect((await browser.submit(form, reports, { subject: `event ${slug}` }, form)).status).toBe(404);
  });
});
