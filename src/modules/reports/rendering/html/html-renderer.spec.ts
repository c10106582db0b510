import { REPORT_SECTIONS } from '../../domain/report-options';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { demoSnapshot, emptySnapshot, hostileSnapshot, thousandSnapshot, worldSnapshot } from '../testing/snapshots';
import { finding, snapshotOf } from '../testing/snapshot-of';
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
  'html head meta title style body header div main nav footer section article figure figcaption h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd table thead tbody tr th td a b i em strong s code pre bdi span time blockquote br hr svg path rect line text g'.split(
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
    const snapshot = demoSnapshot();
    const sectionsIn = (sections: ReportSnapshot['options']['sections']): string[] =>
      [
        ...htmlReport({ ...snapshot, options: { ...snapshot.options, sections } })
          .toString()
          .matchAll(/<section id="(\w+)" class="chapter"/g),
      ].map(([, id = '']) => id);
    const chapters = ['summary', 'scope', 'findings', 'appendix'];
    expect(sectionsIn([section])).toEqual(chapters.filter((chapter) => chapter === section));
    expect(sectionsIn(REPORT_SECTIONS.filter((other) => other !== section))).toEqual(
      chapters.filter((chapter) => chapter !== section),
    );
  });

  it('shows evidence with the finding only when the section is requested', () => {
    const snapshot = demoSnapshot();
    const withSections = (sections: ReportSnapshot['options']['sections']): string =>
      htmlReport({ ...snapshot, options: { ...snapshot.options, sections } }).toString();
    expect(withSections(['findings', 'evidence'])).toContain('class="exchange"');
    expect(withSections(['findings'])).not.toContain('class="exchange"');
  });
});
