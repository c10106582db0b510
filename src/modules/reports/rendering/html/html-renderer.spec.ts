import { defaultTitlePage, REPORT_SECTIONS } from '../../domain/report-options';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { demoSnapshot, emptySnapshot, hostileSnapshot, thousandSnapshot, worldSnapshot } from '../testing/snapshots';
import { finding, probe, retest, snapshotOf } from '../testing/snapshot-of';
import { HtmlRenderer, htmlReport } from './html-renderer';

const textOf = async (snapshot: ReportSnapshot): Promise<string> =>
  (await new HtmlRenderer().render(snapshot)).toString();

/** Every tag of the document with its attributes. */
const tagsOf = (html: string): { name: string; attributes: string }[] =>
  [...html.replace(/<style>.*?<\/style>/s, '').matchAll(/<([a-z][a-z0-9]*)\b([^<>]*)>/gi)].map((match) => ({
    name: match[1] ?? '',
    attributes: match[2] ?? '',
  }));

const allowed = new Set(
  'html head meta title style body header div main nav footer section article figure figcaption h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd table thead tbody tr th td a b i em strong s code pre bdi span time blockquote br hr svg path rect line text g mark img'.split(
    ' ',
  ),
);

describe('HTML', () => {
  it.each([
    ['an empty event', emptySnapshot],
    ['the demo', demoSnapshot],
    ['texts of the world', worldSnapshot],
    ['hostile texts', hostileSnapshot],
    ['a thousand findings', thousandSnapshot],
  ])('has no scripts, no external resources and no broken anchors: %s', async (_name, snapshot) => {
    const html = await textOf(snapshot());
    const tags = tagsOf(html);
    expect(tags.filter(({ name }) => !allowed.has(name))).toEqual([]);
    expect(tags.filter(({ attributes }) => /\s(?:on\w+|src|srcset|background|action)\s*=/i.test(attributes))).toEqual(
      [],
    );
    const links = tags.flatMap(({ attributes }) => /\shref="([^"]*)"/.exec(attributes)?.[1] ?? []);
    expect(links.filter((link) => !/^(?:#|https?:\/\/|mailto:)/.test(link))).toEqual([]);
    const ids = tags.flatMap(({ attributes }) => /\sid="([^"]*)"/.exec(attributes)?.[1] ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const anchors = links.filter((link) => link.startsWith('#')).map((link) => link.slice(1));
    expect(anchors.filter((anchor) => !ids.includes(anchor))).toEqual([]);
    expect(html).not.toMatch(/@import|url\(/);
    expect(html).not.toMatch(/\bNaN\b|undefined|\[object/);
  });

  it('escapes texts and keeps their direction', async () => {
    const title = '<script>alert("1")</script> & ثغرة';
    const html = await textOf(snapshotOf({ findings: [finding(1, { title })] }));
    expect(html).toContain('<h3 dir="auto">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; ثغرة</h3>');
    expect(html).toContain('<bdi>&lt;script&gt;');
  });

  it('keeps the sanitized HTML of a finding', async () => {
    const html = await textOf(snapshotOf({ findings: [finding(1, { title: 'x', html: '<p>a <em>b</em></p>' })] }));
    expect(html).toContain('<div class="prose"><p>a <em>b</em></p></div>');
  });

  it.each([...REPORT_SECTIONS])('includes the section %s only when it is requested', (section) => {
    const demo = demoSnapshot();
    const totals = { ...demo.totals, left_out: 0 };
    const snapshot = { ...demo, totals, assessment: null, comparison: null };
    const sectionsIn = (sections: ReportSnapshot['options']['sections']): string[] =>
      [
        ...htmlReport({ ...snapshot, options: { ...snapshot.options, sections } })
          .toString()
          .matchAll(/<section id="(\w+)" class="chapter"/g),
      ].map(([, id = '']) => id);
    const chapters = ['summary', 'plan', 'scope', 'changes', 'methodology', 'findings', 'retests', 'appendix'];
    expect(sectionsIn([section])).toEqual(chapters.filter((chapter) => chapter === section));
    expect(sectionsIn(REPORT_SECTIONS.filter((other) => other !== section))).toEqual(
      chapters.filter((chapter) => chapter !== section),
    );
  });

  it('shows what changed in the report of an organization, and no such chapter in others', async () => {
    const html = await textOf(demoSnapshot());
    expect(html).toContain(
      'Observations of the assets showed 130 changes in this period: 129 versions changed and 1 port opened. The table has the 1 most important.',
    );
    expect(html).toMatch(
      /api\.nordwind\.example<\/bdi><\/th><td dir="auto">Port 6379 opened \(redis\)\. \(192\.0\.2\.7\)<\/td>/,
    );
    const none = await textOf({ ...demoSnapshot(), changes: { total: 0, by_kind: [], listed: [] } });
    expect(none).toContain('No observation of the assets showed a change in this period.');
    expect(await textOf({ ...demoSnapshot(), changes: null })).not.toContain('What changed');
  });

  it('shows evidence with the finding only when the section is requested', () => {
    const snapshot = demoSnapshot();
    const withSections = (sections: ReportSnapshot['options']['sections']): string =>
      htmlReport({ ...snapshot, options: { ...snapshot.options, sections } }).toString();
    expect(withSections(['findings', 'evidence'])).toContain('class="exchange"');
    expect(withSections(['findings'])).not.toContain('class="exchange"');
  });

  it('shows the same detail of several probes once', () => {
    const probes = [1, 2, 3].map((hours) => probe(hours, 'not_vulnerable', 'the file is not there'));
    const html = htmlReport(snapshotOf({ findings: [finding(1, { title: 'A', retests: [retest(1, { probes })] })] }));
    expect(html.toString().match(/The file is not there/g)).toHaveLength(1);
  });

  it('counts only open findings on the title page, and shows the most urgent ones before groups of equal ones', () => {
    const open = [1, 2].map((id) => finding(id, { title: 'Twice', severity: 'critical' }));
    const resolved = finding(3, { title: 'Gone', severity: 'critical', status: 5 });
    const html = htmlReport(snapshotOf({ findings: [...open, resolved] })).toString();
    expect(html).toContain('<b>2</b> Critical open');
    const [urgent, equal] = ['Most urgent open findings', 'Equal findings of one rule'].map((of) => html.indexOf(of));
    expect(urgent).toBeGreaterThan(0);
    expect(equal).toBeGreaterThan(urgent ?? 0);
  });

  it('draws no chart over time for a single day', () => {
    const snapshot = demoSnapshot();
    const withDays = (days: number) =>
      htmlReport({ ...snapshot, timeline: snapshot.timeline.slice(0, days) }).toString();
    expect(withDays(5)).toContain('Found and resolved over time');
    expect(withDays(1)).not.toContain('Found and resolved over time');
    expect(withDays(1)).toMatch(/<p>On 2 Nov: \d+ found\. Nothing changed at other times\.<\/p>/);
  });

  it('has the words of a person, the plan, the comparison and what is left out as chapters of their own', () => {
    const html = htmlReport(demoSnapshot()).toString();
    const order = [...html.matchAll(/<section id="(\w+)" class="chapter"/g)].map(([, id]) => id);
    expect(order.slice(0, 5)).toEqual(['summary', 'assessment', 'plan', 'comparison', 'scope']);
    expect(order.indexOf('left_out')).toBe(order.indexOf('findings') + 1);
    expect(html).toContain('Since report 31 of 10 Nov 2026, 16:00 UTC: 1 back again, 0 new, 1 still open, 1 fixed');
    expect(html).toContain('<td><bdi>It was left out by choice. Its severity is below low.</bdi></td>');
    const plan = html.slice(html.indexOf('<section id="plan"'), html.indexOf('<section id="comparison"'));
    const places = [...plan.matchAll(/<tr><td><bdi>(\d) of 5/g)].map(([, place]) => Number(place));
    expect(places).toEqual(places.toSorted());
    expect(plan).toContain('Nobody yet');
  });

  it('names the beacon of a place, so that two hosts with one address differ', () => {
    const findings = ['lan', 'lan2'].map((name, id) =>
      finding(id + 1, { title: `On ${name}`, asset_value: '10.91.0.2', beacon: { id: id + 1, name } }),
    );
    const html = htmlReport(snapshotOf({ findings })).toString();
    for (const name of ['lan', 'lan2'])
      expect(html.match(new RegExp(`10\\.91\\.0\\.2 \\(through ${name}\\)`, 'g'))).toHaveLength(3);
  });

  it('shows the logo as part of the file, and the texts of the title page', () => {
    const demo = demoSnapshot();
    const title_page = {
      ...defaultTitlePage,
      title: 'Shop <test>',
      confidentiality: 'Internal',
      recipient: 'Ada Ito',
      version: '1.1',
      distribution: ['Board', 'Auditor'],
    };
    const logo = { media_type: 'image/png', width: 40, height: 20, base64: 'iVBORw0KGgo=' } as const;
    const html = htmlReport({ ...demo, logo, options: { ...demo.options, title_page } }).toString();
    expect(html).toContain('<h1 dir="auto">Shop &lt;test&gt;</h1>');
    expect(html).toContain('src="data:image/png;base64,iVBORw0KGgo="');
    expect(html).toContain('<dt>Prepared for</dt><dd><bdi>Ada Ito</bdi></dd>');
    expect(html).toContain('<dt>Version</dt><dd><bdi>1.1</bdi></dd>');
    expect(html).toContain('<bdi>Board</bdi><br><bdi>Auditor</bdi>');
    expect(html).toContain('<footer>Internal. ');
    expect(htmlReport(demo).toString()).not.toContain('<img');
  });

  it('marks findings outside the scope, and names the CWE and the OWASP category', () => {
    const html = htmlReport(demoSnapshot()).toString();
    expect(html.match(/class="outside"/g)).toHaveLength(2);
    expect(html).toContain('href="https://cwe.mitre.org/data/definitions/527.html"');
    expect(html).toContain('A01:2021 Broken Access Control');
  });

  it('lists the results of all retests with the finding, the reason, the check and the number of requests', () => {
    const html = htmlReport(demoSnapshot()).toString();
    const [, table = ''] = /<table class="plain retests">(.*?)<\/table>/s.exec(html) ?? [];
    expect(table.match(/<tr>/g)).toHaveLength(1 + 4);
    expect(table).toContain('<a href="#finding-102"><b>102</b>');
    expect(table).toContain('Three looks in a row find nothing');
    expect(table).toContain('<bdi>Assay, exposed-git</bdi></td><td class="count">29</td>');
  });
});
