import { REPORT_SECTIONS, type ReportOptions } from '../../domain/report-options';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { jpegOf, pngOf } from '../../../../kernel/testing/pictures';
import { STANDARDS } from '../methodology';
import { HOSTILE_TEXTS } from '../testing/hostile-texts';
import { canReadPdf, ReadPdf, type Word } from '../testing/pdf-reader';
import { finding, probe, retest, snapshotOf } from '../testing/snapshot-of';
import { demoSnapshot, emptySnapshot, hostileSnapshot, thousandSnapshot, worldSnapshot } from '../testing/snapshots';
import { FontFallback } from './font-fallback';
import { PdfRenderer } from './pdf-renderer';
import { typeset } from './typeset';

const render = (snapshot: ReportSnapshot): Promise<Buffer> => new PdfRenderer().render(snapshot);

const kinds = {
  'an empty event': emptySnapshot(),
  'the demo': demoSnapshot(),
  'texts of the world': worldSnapshot(),
  'hostile texts': hostileSnapshot(),
  'more findings than the contents list': thousandSnapshot(130),
};
const names = Object.keys(kinds) as (keyof typeof kinds)[];

/** Each PDF is rendered once for all tests. */
const made = new Map<keyof typeof kinds, Promise<Buffer>>();
function pdfOf(name: keyof typeof kinds): Promise<Buffer> {
  const pdf = made.get(name) ?? render(kinds[name]);
  made.set(name, pdf);
  return pdf;
}

const withOptions = (options: Partial<ReportOptions>): ReportSnapshot => {
  const demo = demoSnapshot();
  return { ...demo, options: { ...demo.options, ...options } };
};

/** Letters that are drawn in several parts, which pdftotext extracts several times. */
const DRAWN_APART = /[\u0980-\u09ff\u0e00-\u0e7f]/;
/** Marks without letters. There are so many that the test below only counts them. */
const HEAPED = /\u25cc/;
/** pdftotext guesses the order of two directions, so the words are searched separately. */
const BOTH_WAYS = /[\u0590-\u06ff].*[A-Za-z]|[A-Za-z].*[\u0590-\u06ff]/;

/** A title as the document shows it. */
const shown = (text: string): string => new FontFallback().plainText(text);

describe('PDF', () => {
  it.each(names)('declares conformance to PDF/UA-1, which the typesetter has validated: %s', async (name) => {
    const pdf = (await pdfOf(name)).toString('latin1');
    expect(pdf).toMatch(/^%PDF-1\.7/);
    expect(pdf).toMatch(/%%EOF\s*$/);
    expect(pdf).toContain('<pdfuaid:part>1</pdfuaid:part>');
  });

  it('produces the same bytes for the same snapshot', async () => {
    expect((await render(demoSnapshot())).equals(await pdfOf('the demo'))).toBe(true);
  });

  it('is generated without a logo that the typesetter cannot read', async () => {
    const logo = {
      media_type: 'image/jpeg',
      width: 40,
      height: 20,
      base64: jpegOf(40, 20).toString('base64'),
    } as const;
    const empty = { ...emptySnapshot(), logo };
    expect((await render(empty)).equals(await render({ ...empty, logo: null }))).toBe(true);
  });

  it('rejects with the diagnostics of the typesetter when the template cannot be drawn', async () => {
    await expect(typeset({ nothing: true }, [])).rejects.toThrow(/The PDF cannot be typeset: [^]*theme/);
  });
});

/** Needs pdftotext and pdfinfo, of poppler-utils. */
(canReadPdf ? describe : describe.skip)('PDF, read back with poppler-utils', () => {
  const opened = new Map<keyof typeof kinds, ReadPdf>();
  const read = async (name: keyof typeof kinds): Promise<ReadPdf> => {
    const pdf = opened.get(name) ?? new ReadPdf(await pdfOf(name));
    opened.set(name, pdf);
    return pdf;
  };

  it.each(names)('contains the title of every finding and a link target for its number: %s', async (name) => {
    const pdf = await read(name);
    const { findings } = kinds[name];
    const titles = findings
      .filter(({ title }) => title.trim() !== '')
      .map(({ title }) => shown(title))
      .filter((title) => !HEAPED.test(title));
    const kindOf = (title: string) =>
      DRAWN_APART.test(title) ? 'apart' : BOTH_WAYS.test(title) ? 'bothWays' : 'plain';
    const of = (kind: ReturnType<typeof kindOf>) => titles.filter((title) => kindOf(title) === kind);
    expect(pdf.lacks(of('plain'))).toEqual([]);
    expect(pdf.lacks(of('bothWays').flatMap((title) => title.split(' ')))).toEqual([]);
    expect(of('apart').filter((title) => !pdf.hasLetters(title))).toEqual([]);
    expect(pdf.destinations.toSorted()).toEqual(findings.map(({ id }) => `finding-${id}`).toSorted());
  });

  it.each(names)('places every word inside the page: %s', async (name) => {
    const outside = (await read(name))
      .words()
      .filter(({ left, top, right, bottom }) => left < 40 || right > 555.5 || top < 20 || bottom > 825);
    expect(outside).toEqual([]);
  });

  it.each(['the demo', 'more findings than the contents list'] as const)(
    'places no word on top of another: %s',
    async (name) => {
      expect(overlapsOf((await read(name)).words())).toEqual([]);
    },
  );

  it('has a title, an author, the moment of the snapshot, tags, headings, tables and a picture with its words', async () => {
    const pdf = await read('the demo');
    expect(pdf.info).toMatchObject({
      Title: 'Winter pentest: report for Nordwind Handels AG',
      Author: 'Assay',
      CreationDate: '2026-11-21T16:45:00Z',
      Tagged: 'yes',
    });
    const kindsOfParts = [...pdf.structure.keys()];
    expect(kindsOfParts).toEqual(
      expect.arrayContaining(['H1', 'H2', 'H3', 'TOC', 'Table', 'TH', 'L', 'Figure', 'Link']),
    );
    expect(pdf.structure.get('Figure')).toBe(1);
    expect((await pdfOf('the demo')).toString('latin1')).toContain('<dc:language>');
  });

  it('shows the description, tables, evidence, retests, history and links of a finding', async () => {
    const pdf = await read('the demo');
    expect(
      pdf.lacks([
        'A file named x.phtml becomes a shell for anyone who knows its address',
        'Serve it from another origin. See the cheat sheet',
        'Content-Disposition: form-data; name="file"; filename="x.phtml"',
        'the list of all files',
        'Probe 2: Vulnerable'.toUpperCase(),
        'The file is served: it begins with "ref: refs/heads/"',
        'Set-Cookie: session=[redacted]; Path=/; HttpOnly',
        'Evidence signed with key 3f1c9a52d07be684',
        'New › Triaged',
        'Reproduced on the staging system. The upload is off since noon.',
        'Last seen 8 Nov 2026, 3 times',
        'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
        'Every path answers like every other, so an answer shows nothing.',
        'The service has not tested these assets in the period of this report.',
      ]),
    ).toEqual([]);
    const standards = new Set(STANDARDS.map(({ address }) => address));
    const cwe = 'https://cwe.mitre.org/data/definitions/527.html';
    expect(pdf.addresses.filter((address) => !standards.has(address))).toEqual([
      cwe,
      'https://www.cve.org/CVERecord?id=CVE-2026-12345',
      'https://cheatsheetseries.owasp.org/cheatsheets/File_Upload_Cheat_Sheet.html',
      cwe,
    ]);
    expect(pdf.has(`Page 2 of ${pdf.pages}`)).toBe(true);
  });

  it('states for an event without findings which assets were tested', async () => {
    const pdf = await read('an empty event');
    expect(
      pdf.lacks([
        'No finding was seen in the period of this report.',
        'Of 2 assets in scope, 1 was tested by the service and 1 was not. The absence of findings says nothing about assets that were not tested.',
        'The service has not tested these assets in the period of this report. • api.nordwind.example',
      ]),
    ).toEqual([]);
  });

  it('leaves no page but the last more than 70 percent empty', async () => {
    const pdf = await read('the demo');
    const [top, bottom] = [85, 768];
    const lowest = new Map<number, number>();
    for (const word of pdf.words()) {
      if (word.bottom < bottom) lowest.set(word.page, Math.max(lowest.get(word.page) ?? 0, word.bottom));
    }
    const emptiest = Math.min(...[...lowest].filter(([page]) => page < pdf.pages).map(([, y]) => y));
    expect((emptiest - top) / (bottom - top)).toBeGreaterThan(0.3);
  });

  it('keeps a heading and its text on one page, and the location of a finding and what was seen there', async () => {
    const parts = ['a', 'b', 'c', 'd', 'e', 'f'];
    const heads = (id: number) => parts.map((part) => `**Head-${id}${part}**\n\nbody-${id}${part}`).join('\n\n');
    const md = (id: number) =>
      `${'One line of the text of this check. '.repeat(id)}\n\n${heads(id)}\n\nAt\n\n    first-${id}\n\nwas\n\n    second-${id}`;
    const ids = Array.from({ length: 30 }, (_, index) => index + 1);
    const findings = ids.map((id) => finding(id, { title: `Finding ${id}`, md: md(id) }));
    const words = new ReadPdf(await render(snapshotOf({ findings }))).words();
    const pageOf = (text: string) => words.find((word) => word.text === text)?.page;
    const areApart = (one: string, other: string) => pageOf(one) === undefined || pageOf(one) !== pageOf(other);
    expect(ids.filter((id) => areApart(`first-${id}`, `second-${id}`))).toEqual([]);
    expect(ids.filter((id) => parts.some((part) => areApart(`Head-${id}${part}`, `body-${id}${part}`)))).toEqual([]);
  });

  it.each([
    ['3 findings', 3, 3, 'Finding', {}],
    ['12,431 findings, of which the annex has 150', 12_431, 150, 'An equal finding of rule', {}],
    [
      'the longest and widest texts',
      5_000,
      5_000,
      'W'.repeat(499),
      {
        asset_value: 'W'.repeat(2_000),
        verification: { result: 'untested', reason: 'W'.repeat(999), tested_at: null },
      },
    ],
    ['right-to-left texts', 5_000, 5_000, HOSTILE_TEXTS.arabic.slice(0, 499), {}],
  ] as const)('has the summary on two pages before the annex: %s', async (name, count, inAnnex, title, parts) => {
    const findings = Array.from({ length: count }, (_, index) =>
      finding(index + 1, {
        title: `${title} ${index % (count > 3 ? 12 : 9)}`,
        severity: (['critical', 'high', 'medium', 'low'] as const)[index % 4],
        asset_value: `host-${index}.example`,
        ...parts,
      }),
    );
    const whole = snapshotOf({ findings, scope: demoSnapshot().scope, comparison: demoSnapshot().comparison });
    const sections = inAnnex === count && count > 3 ? (['summary', 'appendix'] as const) : REPORT_SECTIONS;
    const snapshot = { ...whole, findings: findings.slice(0, inAnnex), options: { ...whole.options, sections } };
    const pdf = new ReadPdf(await render(snapshot));
    const words = pdf.words();
    const pageOf = (text: string): number => words.find((word) => word.text === text)?.page ?? 0;
    expect(pageOf('Executive')).toBe(2);
    expect(pageOf('Annex') - 2).toBe(count === 3 ? 1 : 2);
    expect(
      words.filter(({ page, left, right, bottom }) => page < 4 && (left < 40 || right > 555.5 || bottom > 825)),
    ).toEqual([]);
    const summary = words.filter(({ page }) => page < pageOf('Annex')).map(({ text }) => text);
    expect(summary.filter((text) => /^(CRITICAL|HIGH)$/.test(text)).length).toBeGreaterThanOrEqual(
      count === 3 ? 2 : 10,
    );
    expect(pdf.has(`The annex has the 150 most urgent of 12,431 findings; the summary counts all.`)).toBe(
      name.startsWith('12,431'),
    );
  });

  it('has a title page and the summary alone without sections for an annex', async () => {
    const { assessment: _none, comparison: _no, ...demo } = withOptions({ sections: ['summary'] });
    const alone = { ...demo, assessment: null, comparison: null, totals: { ...demo.totals, left_out: 0 } };
    const pdf = new ReadPdf(await render(alone));
    expect(pdf.pages).toBeLessThanOrEqual(3);
    expect(pdf.lacks(['Distribution', 'Most urgent open findings'])).toEqual([]);
    expect(pdf.words().some(({ text }) => text === 'Annex')).toBe(false);
  });

  it('shows the logo, the texts of the title page and the marking on every page', async () => {
    const logo = { media_type: 'image/png', width: 40, height: 20, base64: pngOf(40, 20).toString('base64') } as const;
    const title_page = {
      title: 'W'.repeat(200),
      subtitle: 'After the second retest',
      confidentiality: 'Strictly internal',
      recipient: 'Ada Ito',
      version: '1.1',
      tester: 'Mara Lindqvist',
      contact: 'mara@example.com',
      distribution: ['Board', 'Auditor'],
      author: 'Ada Okafor',
      reviewer: 'Yusuf Demir',
    };
    const pdf = new ReadPdf(await render({ ...withOptions({ title_page, sections: ['summary'] }), logo }));
    expect(
      pdf.lacks([
        'After the second retest',
        'Ada Ito',
        'Mara Lindqvist',
        'mara@example.com',
        'Auditor',
        'Ada Okafor',
        'Yusuf Demir',
      ]),
    ).toEqual([]);
    expect(pdf.structure.get('Figure')).toBe(2);
    expect(pdf.times('Strictly internal')).toBe(pdf.pages);
    expect(pdf.pages).toBeLessThanOrEqual(5);
  });

  it('is one page as a letter, without technical details', async () => {
    const demo = { ...demoSnapshot(), evidence_key: '3f1c9a52d07be684' };
    const pdf = new ReadPdf(await render({ ...demo, options: { ...demo.options, kind: 'letter' } }));
    expect(pdf.pages).toBe(1);
    expect(pdf.lacks(['3f1c9a52d07be684', 'Moderate risk, by Ada Ito', 'Proved to be fixed'])).toEqual([]);
    expect(pdf.has('shop.nordwind.example')).toBe(false);
  });

  it('shows hostile and right-to-left texts of a person, of the comparison and of what is left out', async () => {
    const texts = Object.values(HOSTILE_TEXTS);
    const demo = demoSnapshot();
    const row = (title: string, id: number) =>
      ({ id, title, asset_value: title.slice(0, 2_048), severity: 'low' }) as const;
    const assessment = {
      author: HOSTILE_TEXTS.override,
      written: demo.taken,
      rating: HOSTILE_TEXTS.arabic,
      texts: texts.map((md) => ({ title: 'Summary', md: md.slice(0, 10_000), html: '' })),
    };
    const left_out = texts.map((text, id) => ({
      ...row(text, id),
      status_name: 'open',
      reasons: [text.slice(0, 100)],
    }));
    const findings = texts.map((text, id) => ({ ...row(text, id), state: 'new', was: null, is: 'open' }) as const);
    const comparison = { ...demo.comparison, findings, notes: [] } as unknown as ReportSnapshot['comparison'];
    const totals = { ...demo.totals, left_out: left_out.length };
    const pdf = new ReadPdf(
      await render({ ...withOptions({ sections: ['summary'] }), assessment, left_out, comparison, totals }),
    );
    expect(pdf.has('Written by')).toBe(true);
    expect(pdf.pages).toBeLessThan(60);
    const letter = { ...demo, assessment, organization: { id: 1, name: 'W'.repeat(200) } };
    expect(
      new ReadPdf(await render({ ...letter, options: { ...demo.options, kind: 'letter' } })).pages,
    ).toBeLessThanOrEqual(2);
  });

  it('links only to web and mail addresses, and limits the pages that hostile texts can fill', async () => {
    const pdf = await read('hostile texts');
    expect(pdf.addresses.filter((address) => !/^(https?|mailto):/.test(address))).toEqual([]);
    expect(pdf.pages).toBeLessThan(220);
    expect(pdf.has('#eval("1+1") #import "x.typ" #{panic("no")} $ x^2 $ @label <label>')).toBe(true);
    expect(pdf.has('W'.repeat(20_000))).toBe(false);
    expect(pdf.times('W')).toBeGreaterThanOrEqual(65_536);
    expect(pdf.times('\u25cc\u0300')).toBeGreaterThanOrEqual(300);
  });

  it('lists more than 100 findings as lines, and leaves them out of the contents', async () => {
    const pdf = await read('more findings than the contents list');
    // In the list, and above its text; the most urgent are in the summary too.
    expect(pdf.times('The server names its version, number 106')).toBe(2);
    expect((await read('the demo')).times('The server names its version')).toBe(3);
  });

  it.each(REPORT_SECTIONS)('omits the section %s when it is not requested', async (section) => {
    const sections = REPORT_SECTIONS.filter((one) => one !== section);
    const pdf = new ReadPdf(await render(withOptions({ sections })));
    const marks: Readonly<Record<(typeof REPORT_SECTIONS)[number], string>> = {
      summary: 'Most urgent open findings',
      plan: 'have no owner',
      scope: 'Checks not completed',
      changes: 'Port 6379 opened',
      methodology: 'How a verdict is reached',
      findings: 'Allow images alone',
      evidence: 'ref: refs/heads/main',
      retests: '4 retests: 2 fixed',
      appendix: 'How to read this report',
    };
    expect(REPORT_SECTIONS.filter((one) => !pdf.has(marks[one]))).toEqual([section]);
  });

  it('includes evidence only when the option requests it, and shortens long lines', async () => {
    expect(new ReadPdf(await render(withOptions({ include_evidence: false }))).has('PROBE 1')).toBe(false);
    const exchange = ['GET / HTTP/1.1', 'x'.repeat(16_384)] as const;
    const long = finding(1, {
      title: 'Long',
      retests: [retest(5, { probes: [probe(5, 'vulnerable', 'Seen.', [exchange])] })],
    });
    const pdf = new ReadPdf(await render(snapshotOf({ findings: [long] })));
    expect(pdf.has('x'.repeat(300))).toBe(true);
    expect(pdf.has('x'.repeat(301))).toBe(false);
  });
});

/** Words of the same page whose boxes share a good part of the smaller one. */
function overlapsOf(words: readonly Word[]): [string, string][] {
  const downwards = words.toSorted((one, other) => one.page - other.page || one.top - other.top);
  const area = (word: Word): number => (word.right - word.left) * (word.bottom - word.top);
  return downwards.flatMap((one, index) => {
    const overlaps: [string, string][] = [];
    for (const other of downwards.slice(index + 1, index + 200)) {
      if (other.page !== one.page || other.top >= one.bottom) break;
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const height = Math.min(one.bottom, other.bottom) - other.top;
      if (width > 0 && width * height > 0.25 * Math.min(area(one), area(other))) overlaps.push([one.text, other.text]);
    }
    return overlaps;
  });
}
