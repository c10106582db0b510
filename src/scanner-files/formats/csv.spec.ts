import { CSV_FIELDS, CSV_TEMPLATE, type CsvMapping } from '../csv-mapping';
import { readScannerFile } from '..';
import { exampleFiles } from '../testing/example-files';
import { chunksOf, findings, readRows, refusals } from '../testing/read-rows';

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
    expect(CSV_FIELDS).toEqual(CSV_TEMPLATE.split('\r\n')[0]?.split(','));
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

  it('keeps formulas as texts', async () => {
    const [finding] = findings(await readRows('title,severity\n"=HYPERLINK(""https://a.example"")",low\n'));
    expect(finding?.title).toBe('=HYPERLINK("https://a.example")');
  });

  it('ends with an error and the rows before it where a quote does not end', async () => {
    const read = await readRows('title,severity\nA,low\n"B,low\nC,low\n');
    expect(findings(read).map(({ title }) => title)).toEqual(['A']);
    expect(read.error?.reason).toContain('A quoted value does not end');
  });
});

/** The format of a table, and its columns that are not read. */
async function recognized(content: string, options: { csvMapping?: CsvMapping; format?: 'csv' } = {}) {
  const file = readScannerFile(chunksOf(Buffer.from(content)), { format: null, ...options });
  return { format: await file.format, ignored: await file.ignoredColumns };
}

describe('the columns of a table', () => {
  it.each([
    ['CVE', 'cves', ['CVE-2024-1234']],
    ['cve', 'cves', ['CVE-2024-1234']],
    ['CVE IDs', 'cves', ['CVE-2024-1234']],
    ['CWE-ID', 'cwe', 2024],
    ['Solution', 'remediation', 'CVE-2024-1234'],
    ['Plugin Output', 'evidence', 'CVE-2024-1234'],
    ['Plugin ID', 'ruleId', 'CVE-2024-1234'],
  ])('are read as most tools spell them: %s', async (column, field, expected) => {
    const value = field === 'cwe' ? 'CWE-2024' : 'CVE-2024-1234';
    const content = `Name,Risk,"${column}",Ticket\nA,low,${value},7\n`;
    expect(findings(await readRows(content))[0]).toMatchObject({ [field]: expected });
    expect(await recognized(content)).toEqual({ format: 'csv', ignored: ['Ticket'] });
  });

  it('that a mapping does not name are not read', async () => {
    const csvMapping: CsvMapping = { columns: { title: 'Name', severity: 'Risk' } };
    expect(await recognized('Name,Risk,CVE,"a,\u0000b"\n', { csvMapping })).toEqual({
      format: 'csv',
      ignored: ['CVE', 'a,b'],
    });
  });

  it('need a title and a severity', async () => {
    const { error } = await readRows('Name,Ticket\nA,7\n', { format: 'csv' });
    expect(error?.message).toBe(
      'Line 1: The table has no column for the title or the severity. Its columns are name, ticket.',
    );
  });

  it('that earlier versions did not read do not change the identity of a finding with the same title', async () => {
    const [finding] = findings(await readRows('title,severity,plugin id,url\nA,low,12,https://a.example/\n'));
    expect(finding).toMatchObject({ ruleId: '12', former: { scanner: 'csv', ruleId: 'A' } });
  });
});

describe('the CSV of DefectDojo', () => {
  it('is a format of its own, whose decided rows are refused as in its JSON', async () => {
    const file = exampleFiles['defectdojo-csv'];
    for (const format of [undefined, 'csv'] as const)
      expect(await recognized(file, { ...(format && { format }) })).toEqual({
        format: 'defectdojo-csv',
        ignored: ['Active', 'Verified'],
      });
    const read = await readRows(file);
    expect(findings(read)).toEqual([
      expect.objectContaining({
        scanner: 'defectdojo',
        ruleId: 'Open redirect',
        former: { scanner: 'csv', ruleId: 'Open redirect' },
        cwe: 601,
        description: 'Any address is accepted.\n\nPhishing',
        remediation: 'Accept paths only.',
        references: ['https://example.com/601'],
        seenAt: new Date('2026-01-31T00:00:00Z'),
      }),
    ]);
    expect(refusals(read)).toEqual([
      '3: It is marked as a false positive.',
      '4: It is marked as a duplicate.',
      '5: It is marked as mitigated.',
    ]);
  });
});

describe('the CSV of Nessus', () => {
  it('is read without a mapping, with the rules and places of its XML', async () => {
    const file = exampleFiles['nessus-csv'];
    expect(await recognized(file)).toEqual({ format: 'nessus-csv', ignored: ['Protocol'] });
    const [fromXml] = findings(await readRows(exampleFiles['nessus-xml']));
    const read = await readRows(file);
    const { scanner, ruleId, location, cves } = fromXml ?? {};
    expect(findings(read)).toEqual([
      expect.objectContaining({ scanner, ruleId, location, cves, severity: 'medium', former: null }),
      expect.objectContaining({ ruleId: '10107', severity: 'info', evidence: 'nginx' }),
    ]);
  });

  it.each([
    [
      'Tenable Security Center',
      '"Plugin","Plugin Name","Family","Severity","IP Address","Protocol","Port","DNS Name","Plugin Output","Synopsis","Description","Steps to Remediate","CVE"\n"20007","Old","General","Medium","192.0.2.7","TCP","443","a.example.com","seen","s","d","Use TLS 1.2","CVE-2014-3566"\n',
    ],
    [
      'Tenable Vulnerability Management',
      'asset.display_fqdn;asset.display_ipv4_address;definition.cve;definition.id;definition.name;definition.solution;definition.synopsis;last_seen;output;port;severity;;state\na.example.com;192.0.2.7;CVE-2014-3566;20007;Old;Use TLS 1.2;s;2026-01-31T00:00:00Z;seen;443;MEDIUM;;ACTIVE\n',
    ],
    [
      'an older Tenable.io',
      'Plugin ID,CVE,CVSS,Risk,Host,Protocol,Port,Name,Synopsis,Description,Solution,See Also,Plugin Output,,Vulnerability State,IP Address,FQDN,Severity\n20007,CVE-2014-3566,5,Medium,a.example.com,tcp,443,Old,s,d,Use TLS 1.2,,seen,,Active,192.0.2.7,a.example.com,2\n',
    ],
  ])('is also read as %s writes it', async (_, content) => {
    expect((await recognized(content)).format).toBe('nessus-csv');
    expect(findings(await readRows(content))).toEqual([
      expect.objectContaining({
        scanner: 'nessus',
        ruleId: '20007',
        title: 'Old',
        severity: 'medium',
        location: { url: null, host: 'a.example.com', port: 443, source: null },
        cves: ['CVE-2014-3566'],
        remediation: 'Use TLS 1.2',
        evidence: 'seen',
      }),
    ]);
  });
});
