import { burpFile, exampleFiles, nucleiResult, sarifLog, testsslResults } from '../testing/example-files';
import { findings, readRows, refusals } from '../testing/read-rows';
import { seenFiles } from '../testing/seen-files';

const lineOf = (file: string, text: string): number => file.slice(0, file.indexOf(text)).split('\n').length;

describe('a file of Nuclei', () => {
  it('gives rule, texts, location, replay and template of a result', async () => {
    const read = await readRows(exampleFiles['nuclei-jsonl']);
    expect(read.error).toBeNull();
    expect(findings(read)[0]).toEqual({
      line: 1,
      scanner: 'nuclei',
      ruleId: 'demo-open-panel',
      former: null,
      title: 'Demo panel without sign-in (version-2)',
      description: 'The panel of the démo product is open.\n\nAnyone can restart the machine.',
      remediation: 'Require a password.',
      severity: 'medium',
      location: {
        url: 'https://panel.example.com:8443/admin/?tab=1#top',
        host: 'panel.example.com',
        port: 8443,
        source: null,
      },
      address: null,
      asset: null,
      beacon: null,
      cwe: 306,
      cves: ['CVE-2024-12345'],
      moreCves: 0,
      references: ['https://example.com/advisory'],
      cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:L/A:N',
      evidence: expect.stringContaining('Panel 2.0.1'),
      parameter: 'version-2',
      seenAt: new Date('2026-01-31T08:15:30.123Z'),
      replay: { method: 'GET', url: 'https://panel.example.com:8443/admin/?tab=1', match: 'Panel 2.0.1' },
      seen: { server: null, title: null, isSignedIn: true },
      template: 'id: demo-open-panel\ninfo:\n  name: Demo panel\n  severity: medium\n',
    });
  });

  it('refuses lines without a match and lines that are not JSON, and reads old names of fields', async () => {
    const read = await readRows(exampleFiles['nuclei-jsonl']);
    expect(refusals(read)).toEqual([
      '3: The template did not match (matcher-status is false).',
      '4: The line is not valid JSON.',
    ]);
    expect(findings(read)[1]).toMatchObject({
      line: 5,
      ruleId: 'ssh-old',
      location: { url: null, host: 'ssh.example.com', port: 22 },
      references: ['http://example.com/a', 'http://example.com/b'],
    });
  });

  it('is also read as the array that -json-export writes', async () => {
    const read = await readRows(`\n[\n${JSON.stringify(nucleiResult)},\n${JSON.stringify(nucleiResult)}\n]`);
    expect(findings(read).map(({ line, ruleId }) => [line, ruleId])).toEqual([
      [3, 'demo-open-panel'],
      [4, 'demo-open-panel'],
    ]);
  });

  it.each([
    ['a request that changes something', { request: 'POST /admin/ HTTP/1.1\r\n\r\n' }],
    ['a response without the extracted text', { response: 'HTTP/1.1 200 OK\r\n\r\nnothing' }],
    ['no extracted text', { 'extracted-results': [] }],
    ['a text that is too short to show anything', { 'extracted-results': ['200'] }],
    ['no request', { request: undefined }],
    ['a credential as the text', { 'extracted-results': ['Set-Cookie: sid=ghi'] }],
  ])('gives no replay for %s', async (_, change) => {
    const [finding] = findings(await readRows(JSON.stringify({ ...nucleiResult, ...change })));
    expect(finding?.replay).toBeNull();
  });

  it.each([
    ['info', 'info'],
    ['low', 'low'],
    ['medium', 'medium'],
    ['high', 'high'],
    ['critical', 'critical'],
    ['unknown', 'info'],
  ])('maps the severity %s to %s', async (severity, expected) => {
    const result = { ...nucleiResult, info: { name: 'x', severity } };
    expect(findings(await readRows(JSON.stringify(result)))[0]?.severity).toBe(expected);
  });
});

describe('a SARIF file', () => {
  it('takes texts, severity and CWE of a result from its rule', async () => {
    const file = exampleFiles.sarif;
    const read = await readRows(file);
    expect(findings(read)[0]).toMatchObject({
      line: lineOf(file, '{\n     "ruleId": "EX100",\n     "ruleIndex"'),
      scanner: 'examplescan',
      ruleId: 'EX100',
      title: 'Path from input',
      description: 'The parameter file is part of a path.\n\nA path contains input.',
      remediation: 'Resolve the path and compare it with the folder.',
      severity: 'high',
      location: { url: null, host: null, port: null, source: 'src/download.ts:12' },
      cwe: 22,
      references: ['https://example.com/EX100'],
      evidence: 'readFile(root + file)',
    });
    expect(findings(read).map(({ ruleId, severity }) => [ruleId, severity])).toEqual([
      ['EX100', 'high'],
      ['EX200', 'low'],
      ['EX300', 'medium'],
    ]);
  });

  it('refuses results that are suppressed, absent or passed', async () => {
    expect(refusals(await readRows(exampleFiles.sarif)).map((text) => text.replace(/^\d+: /, ''))).toEqual([
      'It is suppressed in the file.',
      'It is no longer found (baselineState is absent).',
      'The rule found nothing here (kind is pass).',
    ]);
  });

  it('gives the same findings when the results come before the tool', async () => {
    const [run] = sarifLog.runs;
    const reversed = { runs: [{ results: run?.results, tool: run?.tool }], version: '2.1.0' };
    const withoutLines = (rows: Awaited<ReturnType<typeof readRows>>) =>
      findings(rows).map((row) => ({ ...row, line: 0 }));
    expect(withoutLines(await readRows(JSON.stringify(reversed)))).toEqual(
      withoutLines(await readRows(JSON.stringify(sarifLog))),
    );
  });

  it.each([
    ['a variant of a rule', { ruleId: 'EX100/windows' }, { ruleId: 'EX100/windows', title: 'Path from input' }],
    ['a rule named by its index', { ruleIndex: 0 }, { ruleId: 'EX100', title: 'Path from input' }],
    ['a rule of the result alone', { ruleId: 'Y' }, { ruleId: 'Y', title: 'said', severity: 'medium' }],
    ['no rule', {}, { ruleId: 'said', title: 'said' }],
    ['a level', { ruleId: 'EX200', level: 'error' }, { severity: 'high' }],
    ['a score of its own', { ruleId: 'EX100', properties: { 'security-severity': 0 } }, { severity: 'info' }],
    ['a kind for information', { ruleId: 'Y', kind: 'informational' }, { severity: 'info' }],
    ['a rejected suppression', { ruleId: 'Y', suppressions: [{ status: 'rejected' }] }, { ruleId: 'Y' }],
    ['a taxon', { ruleId: 'Y', taxa: [{ id: '327', toolComponent: { name: 'CWE' } }] }, { cwe: 327 }],
  ])('reads a result with %s', async (_, result, expected) => {
    const [run] = sarifLog.runs;
    const log = { ...sarifLog, runs: [{ ...run, results: [{ message: { text: 'said' }, ...result }] }] };
    expect(findings(await readRows(JSON.stringify(log)))[0]).toMatchObject(expected);
  });

  it.each([
    ['src/a.ts:7', { region: { startLine: 7 } }, {}],
    ['src/a.ts (shop.Cart.add)', {}, { logicalLocations: [{ fullyQualifiedName: 'shop.Cart.add' }] }],
    ["src/a.ts (Error in 'PUT /pet'.)", {}, {}],
  ])('tells results of a file and rule apart by line, name or message: %s', async (source, physical, other) => {
    const physicalLocation = { artifactLocation: { uri: 'file:///src/a.ts' }, ...physical };
    const message = { text: "Error in 'PUT /pet'. [Details](https://app.example.com/defects/2633478)" };
    const result = { ruleId: 'R', message, locations: [{ physicalLocation, ...other }] };
    const log = { version: '2.1.0', runs: [{ tool: { driver: { name: 'X' } }, results: [result] }] };
    expect(findings(await readRows(JSON.stringify(log)))[0]?.location.source).toBe(source);
  });

  it('takes location and replay from a request that the file has, as ZAP writes it', async () => {
    const result = {
      ruleId: '40012',
      message: { text: 'x' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'https://shop.example.com/?q=1' },
            region: { snippet: { text: 'result for 1' } },
          },
        },
      ],
      webRequest: { method: 'GET', target: 'https://shop.example.com/?q=1', headers: { Cookie: 'sid=1' } },
      webResponse: { statusCode: 200, body: { text: 'the result for 1 is' } },
    };
    const log = { version: '2.1.0', runs: [{ results: [result], tool: { driver: { name: 'ZAP' } } }] };
    expect(findings(await readRows(JSON.stringify(log)))[0]).toMatchObject({
      scanner: 'zap',
      location: { url: 'https://shop.example.com/?q=1', host: 'shop.example.com', port: 443, source: null },
      replay: { method: 'GET', url: 'https://shop.example.com/?q=1', match: 'result for 1' },
    });
  });

  it('refuses another version', async () => {
    const { error } = await readRows(JSON.stringify({ version: '1.0.0', runs: [] }));
    expect(error?.message).toBe('Line 1: SARIF 1.0.0 is not supported: export SARIF 2.1.0.');
  });
});

const INSTANCE = { 'zap-json': '"uri"', 'zap-xml': '<uri>' };

describe.each(['zap-json', 'zap-xml'] as const)('a report of ZAP (%s)', (format) => {
  it('gives a finding for each instance of an alert', async () => {
    const file = exampleFiles[format];
    const read = await readRows(file);
    expect(read.error).toBeNull();
    expect(findings(read)[0]).toMatchObject({
      line: lineOf(file, INSTANCE[format]) - 1,
      scanner: 'zap',
      ruleId: '40012-1',
      title: 'Reflected input',
      severity: 'high',
      remediation: expect.stringMatching(/^Encode( & validate)?\.$/),
      location: { host: 'shop.example.com', port: 443 },
      cwe: 79,
      references: ['https://example.com/xss'],
      parameter: 'q',
      evidence: '<b>1</b> results\n\nAttack: <b>1',
      replay: { method: 'GET', match: '<b>1</b> results' },
    });
    expect(findings(read)[0]?.description).toBe('The input is part of the page.\n\nA script in it runs.');
    expect(findings(read)[0]?.seenAt?.toISOString()).toMatch(/^2026-01-31T09:15:30/);
  });
});

describe('a report of ZAP', () => {
  it('gives no replay for POST, or if the text is not in the response that the file has', async () => {
    expect(findings(await readRows(exampleFiles['zap-json']))[1]?.replay).toBeNull();
    expect(findings(await readRows(exampleFiles['zap-xml']))[1]?.replay).toBeNull();
  });

  it('gives one finding for an alert without instances, at the site', async () => {
    expect(findings(await readRows(exampleFiles['zap-json']))[2]).toMatchObject({
      ruleId: '10038',
      severity: 'info',
      location: { url: 'https://shop.example.com/', host: 'shop.example.com' },
    });
  });

  it.each([
    ['0', 'info'],
    ['1', 'low'],
    ['2', 'medium'],
    ['3', 'high'],
  ])('maps the riskcode %s to %s', async (riskcode, severity) => {
    const report = { site: [{ '@name': 'http://a.example', alerts: [{ pluginid: '1', riskcode, instances: [] }] }] };
    expect(findings(await readRows(JSON.stringify(report)))[0]?.severity).toBe(severity);
  });

  it('refuses what a person marked as a false positive', async () => {
    const report = {
      site: [{ '@name': 'http://a.example', alerts: [{ pluginid: '1', riskcode: '1', confidence: '0' }] }],
    };
    expect(refusals(await readRows(JSON.stringify(report)))).toEqual(['1: It is marked as a false positive in ZAP.']);
  });
});

describe('a file of Burp', () => {
  it('gives texts without HTML, and evidence without credentials', async () => {
    const read = await readRows(exampleFiles['burp-xml']);
    expect(findings(read)).toHaveLength(1);
    expect(findings(read)[0]).toMatchObject({
      line: 7,
      scanner: 'burp',
      ruleId: '2097920',
      title: 'Cross-site scripting (reflected)',
      severity: 'high',
      description: 'The value of q is copied.\n\nInput is copied into the page.',
      remediation: 'Encode it.',
      location: { url: 'https://shop.example.com/search', host: 'shop.example.com', port: 443 },
      address: '192.0.2.7',
      cwe: 79,
      references: ['https://example.com/xss', 'https://cwe.mitre.org/data/definitions/79.html'],
      parameter: 'q',
      replay: null,
    });
    expect(findings(read)[0]?.evidence).toBe(
      'GET /search?q=1 HTTP/1.1\nHost: shop.example.com\nCookie: [redacted]\n\nHTTP/1.1 200 OK\nSet-Cookie: [redacted]\n\nhello',
    );
    expect(refusals(read)).toEqual(['26: It is marked as a false positive in Burp.']);
  });

  it('tells issues of extensions apart by their names, because all have one type', async () => {
    const file = burpFile([
      { type: '134217728', name: 'Software <b>detected</b>' },
      { type: '134217728', name: 'Cache misconfiguration' },
      { type: '6291968', name: 'Email addresses disclosed' },
    ]);
    expect(findings(await readRows(file))).toMatchObject([
      {
        ruleId: '134217728 Software detected',
        former: { scanner: 'burp', ruleId: '134217728' },
        title: 'Software detected',
      },
      { ruleId: '134217728 Cache misconfiguration', former: { scanner: 'burp', ruleId: '134217728' } },
      { ruleId: '6291968', former: null },
    ]);
  });
});

describe('a file of Nessus', () => {
  it('gives the results of a host, and refuses entries about open ports', async () => {
    const read = await readRows(exampleFiles['nessus-xml']);
    expect(findings(read)).toEqual([
      expect.objectContaining({
        line: 11,
        scanner: 'nessus',
        ruleId: '20007',
        title: 'SSL Version 2 and 3 Protocol Detection',
        severity: 'high',
        description: 'The service accepts old protocols.',
        remediation: 'Use TLS 1.2.',
        location: { url: null, host: 'mail.example.com', port: 465, source: null },
        address: '192.0.2.25',
        cwe: 327,
        cves: ['CVE-2014-3566'],
        references: ['https://example.com/one', 'https://example.com/two'],
        cvssVector: 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
        evidence: 'SSLv3 is accepted.',
        seenAt: new Date('2026-01-31T09:15:30Z'),
      }),
    ]);
    expect(refusals(read)).toEqual(['9: It names an open port (plugin 0), not a result.']);
  });

  it.each(['info', 'low', 'medium', 'high', 'critical'])('maps its severities in order: %s', async (severity) => {
    const number = ['info', 'low', 'medium', 'high', 'critical'].indexOf(severity);
    const file = exampleFiles['nessus-xml'].replace('severity="3"', `severity="${number}"`);
    expect(findings(await readRows(file))[0]?.severity).toBe(severity);
  });
});

describe('a file in the generic format of DefectDojo', () => {
  it('gives a finding for each endpoint, and refuses what was decided there', async () => {
    const read = await readRows(exampleFiles['defectdojo-json']);
    expect(findings(read)[0]).toMatchObject({
      scanner: 'example tool',
      ruleId: 'DEF-1',
      title: 'Default password',
      severity: 'critical',
      description: 'The account admin has the default password.\n\nFull access.',
      location: { url: 'https://a.example.com/login', host: 'a.example.com', port: 443, source: null },
      cwe: 1392,
      cves: ['CVE-2024-11111'],
      references: ['https://example.com/defaults'],
      parameter: 'password',
      seenAt: new Date('2026-01-31T00:00:00Z'),
    });
    expect(findings(read)[1]?.location).toEqual({
      url: 'http://b.example.com:8080/login',
      host: 'b.example.com',
      port: 8080,
      source: null,
    });
    expect(findings(read)[2]).toMatchObject({ ruleId: 'In code', location: { source: 'src/app.py:7' } });
    expect(refusals(read)).toEqual([expect.stringContaining('It is marked as a false positive.')]);
  });
});

describe('a DAST report of GitLab', () => {
  it('gives rule, texts, location and evidence, and refuses likely false positives', async () => {
    const read = await readRows(exampleFiles['gitlab-dast-json']);
    expect(findings(read)).toEqual([
      expect.objectContaining({
        scanner: 'example dast',
        ruleId: '40012',
        title: 'Reflected input',
        description: 'The input is part of the page.',
        remediation: 'Encode it.',
        severity: 'high',
        location: { url: 'https://shop.example.com/search', host: 'shop.example.com', port: 443, source: null },
        cwe: 79,
        cves: ['CVE-2024-12345'],
        references: ['https://example.com/xss', 'https://cwe.mitre.org/data/definitions/79.html'],
        cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
        evidence: '<b>1 is part of the page\n\nGET https://shop.example.com/search?q=1\nCookie: [redacted]\n\n200 OK',
        parameter: 'q',
        replay: null,
      }),
      expect.objectContaining({
        ruleId: 'R1',
        title: 'At a host',
        severity: 'info',
        location: expect.objectContaining({ host: 'a.example.com' }),
      }),
    ]);
    expect(refusals(read)).toEqual([expect.stringContaining('It is flagged as a likely false positive.')]);
  });

  it('is recognized by its resources, also if it contains the report of ZAP, and no other report of GitLab is', async () => {
    const scan = { end_time: '2026-01-31T10:15:30', scanned_resources: [], type: 'dast' };
    const withZap = JSON.stringify({ '@version': '1', scan, site: [], vulnerabilities: [] });
    expect(await readRows(withZap)).toEqual({ rows: [], error: null });
    const sast = JSON.stringify({ scan: { type: 'sast' }, vulnerabilities: [] });
    expect((await readRows(sast)).error?.reason).toContain('The format of the file is not recognized.');
  });
});

describe.each(Object.entries(seenFiles))('a file with responses (%s)', (_format, fileOf) => {
  const seen = { url: 'http://shop.example.com/', server: 'Apache', title: 'News of today' };

  it.each([
    ['GET / HTTP/1.1\r\nHost: shop.example.com\r\n\r\n', false],
    ['GET / HTTP/1.1\r\nHost: shop.example.com\r\nCookie: sid=1\r\n\r\n', true],
  ])('says which server and title the scanner saw, and whether it was signed in: %j', async (request, isSignedIn) => {
    const read = await readRows(fileOf({ ...seen, request }));
    expect(read.error).toBeNull();
    expect(findings(read)).toMatchObject([{ seen: { server: 'apache', title: 'News of today', isSignedIn } }]);
  });
});

describe('a file of Nmap', () => {
  it('gives what scripts report as vulnerable, with the host, its address and the port', async () => {
    const read = await readRows(exampleFiles['nmap-xml']);
    expect(read.error).toBeNull();
    const host = { scanner: 'nmap', address: '192.0.2.25', seenAt: new Date('2026-01-31T09:15:30.000Z') };
    expect(findings(read)).toEqual([
      expect.objectContaining({
        ...host,
        ruleId: 'vulners',
        title: 'Weaknesses are known of cpe:/a:openbsd:openssh:7.4',
        severity: 'critical',
        location: { url: null, host: 'mail.example.com', port: 22, source: null },
        cves: ['CVE-2018-15473', 'CVE-2023-38408'],
        parameter: 'cpe:/a:openbsd:openssh:7.4',
      }),
      expect.objectContaining({
        ...host,
        ruleId: 'ssl-poodle',
        title: 'SSL POODLE information leak',
        severity: 'high',
        description: 'SSLv3 is accepted with CBC.',
        location: { url: null, host: 'mail.example.com', port: 465, source: null },
        cves: ['CVE-2014-3566'],
        references: ['https://www.example.com/poodle.pdf'],
        evidence: expect.stringContaining('State: VULNERABLE'),
      }),
      expect.objectContaining({
        ...host,
        ruleId: 'smb-vuln-ms17-010',
        severity: 'medium',
        location: { url: null, host: 'mail.example.com', port: null, source: null },
        cves: ['CVE-2017-0143'],
      }),
    ]);
  });

  it('refuses ports without such a report', async () => {
    const file = exampleFiles['nmap-xml'];
    expect(refusals(await readRows(file))).toEqual([
      `${lineOf(file, '<port protocol="tcp" portid="80"')}: It names a port, not a result.`,
    ]);
  });
});

describe('a file of testssl.sh', () => {
  const expected = [
    {
      scanner: 'testssl',
      ruleId: 'BREACH',
      title: 'BREACH: potentially VULNERABLE, gzip HTTP compression detected',
      severity: 'medium',
      location: { url: null, host: 'shop.example.com', port: 443, source: null },
      address: '192.0.2.7',
      cves: ['CVE-2013-3587'],
      cwe: 310,
    },
    { ruleId: 'SSLv3', severity: 'high', location: { url: null, host: '192.0.2.7', port: 465, source: null } },
  ];

  it('gives the weaknesses, and refuses facts, what is right and what was not tested', async () => {
    const read = await readRows(exampleFiles['testssl-json']);
    expect(findings(read)).toMatchObject(expected);
    expect(refusals(read).map((text) => text.replace(/^\d+: /, ''))).toEqual([
      'It is a fact, not a weakness (INFO).',
      'testssl.sh found it to be right (OK).',
      'testssl.sh could not test it (FATAL).',
    ]);
  });

  it('is also read by server and chapter, as --jsonfile-pretty writes it', async () => {
    const [, breach, , sslv3] = testsslResults;
    const chapter = (result: (typeof testsslResults)[0] | undefined) => [{ ...result, ip: undefined, port: undefined }];
    const file = {
      Invocation: 'testssl.sh --jsonfile-pretty file.json shop.example.com',
      startTime: '1769850930',
      scanResult: [
        { targetHost: 'shop.example.com', ip: '192.0.2.7', port: '443', vulnerabilities: chapter(breach) },
        { targetHost: '', ip: '192.0.2.7', port: '465', protocols: chapter(sslv3) },
      ],
    };
    const read = await readRows(JSON.stringify(file, null, 1));
    expect([read.error, refusals(read)]).toEqual([null, []]);
    expect(findings(read)).toMatchObject(expected);
  });
});
