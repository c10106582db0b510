import { CSV_TEMPLATE, type CsvMapping, csvTemplateMapping } from '../csv-mapping';
import { findings, readRows, refusals } from '../testing/read-rows';

const ownMapping: CsvMapping = {
  columns: { title: 'Name', severity: 'Risk', host: 'Host', rule_id: 'Plugin ID' },
  scanner: 'Vendor',
  severities: { Severe: 'high', none: 'info' },
};

describe('a table', () => {
  it('in the shape of the template needs no mapping', async () => {
    const read = await readRows(CSV_TEMPLATE);
    expect(read.error).toBeNull();
    expect(findings(read)).toEqual([
      expect.objectContaining({
        line: 2,
        scanner: 'csv',
        ruleId: 'open-redirect',
        severity: 'medium',
        location: { url: 'https://www.example.com/login?next=/', host: 'www.example.com', port: 443, source: null },
        cwe: 601,
        parameter: 'next',
        seenAt: new Date('2026-01-31T09:30:00Z'),
        cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
      }),
      expect.objectContaining({
        line: 3,
        ruleId: 'tls-version',
        location: { url: null, host: 'mail.example.com', port: 465, source: null },
        cves: ['CVE-2011-3389', 'CVE-2014-3566'],
      }),
    ]);
  });

  it('has every column that a mapping can name in its template', () => {
    expect(Object.keys(csvTemplateMapping.columns)).toEqual(CSV_TEMPLATE.split('\r\n')[0]?.split(','));
  });

  it('is read by a mapping of its columns and severities', async () => {
    const read = await readRows('Plugin ID,Host,Risk,NAME\n12,a.example.com,severe,One\n13,,None,Two\n', {
      csvMapping: ownMapping,
    });
    expect(findings(read)).toEqual([
      expect.objectContaining({ scanner: 'vendor', ruleId: '12', title: 'One', severity: 'high' }),
      expect.objectContaining({ ruleId: '13', severity: 'info' }),
    ]);
  });

  it('is refused when a column of the mapping is missing', async () => {
    const { error } = await readRows('Host,Risk,Name\n', { format: 'csv', csvMapping: ownMapping });
    expect(error?.message).toBe('Line 1: The table has no column "Plugin ID". Its columns are host, risk, name.');
  });

  it.each([
    ['commas', 'title,severity,url\nA,low,https://a.example/\n'],
    ['semicolons', 'title;severity;url\nA;low;https://a.example/\n'],
    ['tabs', 'title\tseverity\turl\nA\tlow\thttps://a.example/\n'],
    ['the separator that Excel names', 'sep=|\ntitle|severity|url\nA|low|https://a.example/\n'],
    ['quoted names', '"title";"severity";"url"\r\n"A";"low";"https://a.example/"\r\n'],
    ['a byte order mark', '\uFEFFtitle,severity,url\nA,low,https://a.example/\n'],
  ])('is read with %s', async (_, content) => {
    const [finding] = findings(await readRows(content));
    expect(finding).toMatchObject({ title: 'A', severity: 'low', location: { url: 'https://a.example/' } });
  });

  it('gives the line at which a row begins, also after rows of several lines and empty lines', async () => {
    const read = await readRows('title,severity\r\n"A\r\nB",low\r\n\r\n\r\nC,high\r\nD,nope\r\n,low\r\nE\r\n');
    expect(findings(read).map(({ line, title }) => [line, title])).toEqual([
      [2, 'A B'],
      [6, 'C'],
    ]);
    expect(refusals(read)).toEqual([
      '7: The severity "nope" is not known. Known are none, info, low, medium, high, critical and cosmic.',
      '8: It has no title.',
      '9: It has 1 columns, but the header has 2.',
    ]);
  });

  it('keeps formulas as the texts that they are', async () => {
    const [finding] = findings(await readRows('title,severity\n"=HYPERLINK(""https://a.example"")",low\n'));
    expect(finding?.title).toBe('=HYPERLINK("https://a.example")');
  });

  it('ends with an error and the rows before it where a quote does not end', async () => {
    const read = await readRows('title,severity\nA,low\n"B,low\nC,low\n');
    expect(findings(read).map(({ title }) => title)).toEqual(['A']);
    expect(read.error?.reason).toContain('A quoted value does not end');
  });
});
