import { CSV_TEMPLATE } from '../csv-mapping';
import type { ScannerFormat } from '../scanner-format';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const NUCLEI_TEMPLATE = 'id: demo-open-panel\ninfo:\n  name: Demo panel\n  severity: medium\n';

export const nucleiResult = {
  template: 'http/panels/demo-open-panel.yaml',
  'template-id': 'demo-open-panel',
  'template-encoded': base64(NUCLEI_TEMPLATE),
  info: {
    name: 'Demo panel without sign-in',
    author: ['example'],
    severity: 'medium',
    description: 'The panel of the démo product is open.',
    impact: 'Anyone can restart the machine.',
    remediation: 'Require a password.',
    reference: ['https://example.com/advisory', 'javascript:alert(1)'],
    classification: {
      'cve-id': ['cve-2024-12345'],
      'cwe-id': ['cwe-306'],
      'cvss-metrics': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:L/A:N',
    },
  },
  'matcher-name': 'version-2',
  type: 'http',
  host: 'panel.example.com',
  port: '8443',
  url: 'https://panel.example.com:8443',
  'matched-at': 'https://user:secret@panel.example.com:8443/admin/?tab=1#top',
  'extracted-results': ['Panel 2.0.1'],
  request:
    'GET /admin/?tab=1 HTTP/1.1\r\nHost: panel.example.com:8443\r\nCookie: sid="abc"; id=def\r\nAuthorization: Basic c2VjcmV0\r\n\r\n',
  response: 'HTTP/1.1 200 OK\r\nSet-Cookie: sid=ghi\r\n\r\n<h1>Panel 2.0.1</h1>',
  timestamp: '2026-01-31T10:15:30.123456789+02:00',
  'matcher-status': true,
};

const ZAP_ALERT = {
  pluginid: '40012',
  alertRef: '40012-1',
  alert: 'Reflected input',
  name: 'Reflected input',
  riskcode: '3',
  confidence: '2',
  desc: '<p>The input is part of the page.</p><p>A script in it runs.</p>',
  instances: [
    {
      uri: 'https://shop.example.com/search?q=%3Cb%3E1',
      method: 'GET',
      param: 'q',
      attack: '<b>1',
      evidence: '<b>1</b> results',
      otherinfo: '',
    },
    { uri: 'https://shop.example.com/login', method: 'POST', param: 'name', attack: '', evidence: '<b>1</b> users' },
  ],
  count: '2',
  solution: '<p>Encode &amp; validate.</p>',
  reference: '<p>https://example.com/xss</p><p>ftp://example.com/other</p>',
  cweid: '79',
  wascid: '8',
};

const zapReport = {
  '@programName': 'ZAP',
  '@version': '2.16.1',
  '@generated': 'Sat, 31 Jan 2026 10:15:30',
  created: '2026-01-31T09:15:30.007472780Z',
  site: [
    {
      '@name': 'https://shop.example.com',
      '@host': 'shop.example.com',
      '@port': '443',
      '@ssl': 'true',
      alerts: [ZAP_ALERT, { pluginid: '10038', name: 'No policy', riskcode: '0', desc: '', instances: [] }],
    },
  ],
};

export const sarifLog = {
  $schema: 'https://example.com/sarif-schema-2.1.0.json',
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: {
          name: 'ExampleScan',
          rules: [
            {
              id: 'EX100',
              name: 'PathTraversal',
              shortDescription: { text: 'Path from input' },
              fullDescription: { text: 'A path contains input.' },
              help: { text: 'Resolve the path and compare it with the folder.' },
              helpUri: 'https://example.com/EX100',
              defaultConfiguration: { level: 'error' },
              messageStrings: { default: { text: 'The parameter {0} is part of a path.' } },
              properties: { tags: ['security', 'external/cwe/cwe-022'], 'security-severity': '8.8' },
            },
            { id: 'EX200', defaultConfiguration: { level: 'note' } },
          ],
        },
      },
      results: [
        {
          ruleId: 'EX100',
          ruleIndex: 0,
          message: { id: 'default', arguments: ['file'] },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: 'src/download.ts', uriBaseId: '%SRCROOT%' },
                region: { startLine: 12, snippet: { text: 'readFile(root + file)' } },
              },
            },
          ],
        },
        { ruleId: 'EX200', message: { text: 'A note.' } },
        { ruleId: 'EX300', message: { text: 'No rule describes this.' } },
        { ruleId: 'EX200', message: { text: 'Known.' }, suppressions: [{ kind: 'inSource' }] },
        { ruleId: 'EX200', message: { text: 'Gone.' }, baselineState: 'absent' },
        { ruleId: 'EX200', message: { text: 'Fine.' }, kind: 'pass' },
      ],
    },
  ],
};

const ZAP_XML = `<?xml version="1.0"?>
<OWASPZAPReport programName="ZAP" version="2.16.1" generated="Sat, 31 Jan 2026 10:15:30" created="2026-01-31T09:15:30Z">
  <site name="https://shop.example.com" host="shop.example.com" port="443" ssl="true">
    <alerts>
      <alertitem>
        <pluginid>40012</pluginid>
        <alertRef>40012-1</alertRef>
        <alert>Reflected input</alert>
        <name>Reflected input</name>
        <riskcode>3</riskcode>
        <confidence>2</confidence>
        <desc>&lt;p&gt;The input is part of the page.&lt;/p&gt;&lt;p&gt;A script in it runs.&lt;/p&gt;</desc>
        <instances>
          <instance>
            <uri>https://shop.example.com/search?q=%3Cb%3E1&amp;page=1</uri>
            <method>GET</method>
            <param>q</param>
            <attack>&lt;b&gt;1</attack>
            <evidence>&lt;b&gt;1&lt;/b&gt; results</evidence>
            <responseheader>HTTP/1.1 200 OK</responseheader>
            <responsebody>&lt;p&gt;&lt;b&gt;1&lt;/b&gt; results&lt;/p&gt;</responsebody>
          </instance>
          <instance>
            <uri>https://shop.example.com/other</uri>
            <method>GET</method>
            <param>q</param>
            <evidence>not in the response</evidence>
            <responseheader>HTTP/1.1 200 OK</responseheader>
            <responsebody>something else</responsebody>
          </instance>
        </instances>
        <count>2</count>
        <solution>&lt;p&gt;Encode.&lt;/p&gt;</solution>
        <reference>&lt;p&gt;https://example.com/xss&lt;/p&gt;</reference>
        <cweid>79</cweid>
      </alertitem>
    </alerts>
  </site>
</OWASPZAPReport>
`;

const BURP_XML = `<?xml version="1.0"?>
<!DOCTYPE issues [
<!ELEMENT issues (issue*)>
<!ATTLIST issues burpVersion CDATA "">
]>
<issues burpVersion="2025.1" exportTime="Sat Jan 31 10:15:30 CET 2026">
  <issue>
    <serialNumber>123456789</serialNumber>
    <type>2097920</type>
    <name><![CDATA[Cross-site scripting (reflected)]]></name>
    <host ip="192.0.2.7">https://shop.example.com</host>
    <path><![CDATA[/search]]></path>
    <location><![CDATA[/search [q parameter]]]></location>
    <severity>High</severity>
    <confidence>Certain</confidence>
    <issueBackground><![CDATA[<p>Input is <b>copied</b> into the page.</p>]]></issueBackground>
    <remediationBackground><![CDATA[<p>Encode it.</p>]]></remediationBackground>
    <references><![CDATA[<ul><li><a href="https://example.com/xss">About</a></li></ul>]]></references>
    <vulnerabilityClassifications><![CDATA[<ul><li><a href="https://cwe.mitre.org/data/definitions/79.html">CWE-79: Cross-site Scripting</a></li></ul>]]></vulnerabilityClassifications>
    <issueDetail><![CDATA[The value of <b>q</b> is copied.]]></issueDetail>
    <requestresponse>
      <request method="GET" base64="true"><![CDATA[${base64('GET /search?q=1 HTTP/1.1\r\nHost: shop.example.com\r\nCookie: sid=secret\r\n\r\n')}]]></request>
      <response base64="true"><![CDATA[${base64('HTTP/1.1 200 OK\r\nSet-Cookie: sid=secret\r\n\r\nhello')}]]></response>
    </requestresponse>
  </issue>
  <issue>
    <type>1</type>
    <name>Marked</name>
    <host>https://shop.example.com</host>
    <severity>False positive</severity>
  </issue>
</issues>
`;

interface BurpIssue {
  readonly type: string;
  readonly name: string;
  readonly severity?: string;
  readonly host?: string;
}

/** Issues at one path, as Burp exports them. */
export const burpFile = (issues: readonly BurpIssue[]): string =>
  `<?xml version="1.0"?>\n<issues burpVersion="2025.1">\n${issues
    .map(
      ({ type, name, severity = 'Low', host = '<host ip="192.0.2.7">https://shop.example.com</host>' }) =>
        `<issue><type>${type}</type><name><![CDATA[${name}]]></name>${host}<path><![CDATA[/]]></path><severity>${severity}</severity></issue>`,
    )
    .join('\n')}\n</issues>\n`;

const NESSUS_XML = `<?xml version="1.0" ?>
<NessusClientData_v2>
<Policy><policyName>Demo</policyName></Policy>
<Report name="Demo">
<ReportHost name="mail.example.com"><HostProperties>
<tag name="HOST_START_TIMESTAMP">1769850930</tag>
<tag name="host-ip">192.0.2.25</tag>
</HostProperties>
<ReportItem port="0" svc_name="general" protocol="tcp" severity="0" pluginID="0" pluginName="" pluginFamily="">
</ReportItem>
<ReportItem port="465" svc_name="smtps" protocol="tcp" severity="3"
  pluginID="20007" pluginName="SSL Version 2 and 3 Protocol Detection" pluginFamily="Service detection">
<cve>CVE-2014-3566</cve>
<cvss3_vector>CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N</cvss3_vector>
<description>The service accepts old protocols.</description>
<plugin_output>SSLv3 is accepted.</plugin_output>
<risk_factor>High</risk_factor>
<see_also>https://example.com/one
https://example.com/two</see_also>
<solution>Use TLS 1.2.</solution>
<xref>CWE:327</xref>
</ReportItem>
</ReportHost>
</Report>
</NessusClientData_v2>
`;

/** One result for each host, as Nessus writes a scan of an internal network. */
export const nessusFile = (hosts: readonly { name: string; address?: string }[]): string =>
  `<?xml version="1.0" ?>\n<NessusClientData_v2><Report name="Internal">\n${hosts
    .map(
      ({ name, address }) =>
        `<ReportHost name="${name}"><HostProperties>${address === undefined ? '' : `<tag name="host-ip">${address}</tag>`}</HostProperties><ReportItem port="443" severity="2" pluginID="104743" pluginName="TLS Version 1.0 Protocol Detection"><description>It is old.</description></ReportItem></ReportHost>`,
    )
    .join('\n')}\n</Report></NessusClientData_v2>\n`;

const NMAP_XML = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE nmaprun>
<?xml-stylesheet href="file:///usr/share/nmap/nmap.xsl" type="text/xsl"?>
<nmaprun scanner="nmap" args="nmap -sV --script vuln,vulners -oX scan.xml mail.example.com" version="7.94">
<host starttime="1769850900" endtime="1769850930"><status state="up" reason="syn-ack"/>
<address addr="192.0.2.25" addrtype="ipv4"/>
<address addr="00:00:5E:00:53:01" addrtype="mac"/>
<hostnames><hostname name="mail.example.com" type="user"/><hostname name="host25.example.net" type="PTR"/></hostnames>
<ports><extraports state="closed" count="998"/>
<port protocol="tcp" portid="22"><state state="open"/><service name="ssh" product="OpenSSH" version="7.4"/>
<script id="vulners" output="&#xa;  cpe:/a:openbsd:openssh:7.4: CVE-2018-15473 5.3">
<table key="cpe:/a:openbsd:openssh:7.4">
<table><elem key="id">CVE-2018-15473</elem><elem key="cvss">5.3</elem><elem key="type">cve</elem></table>
<table><elem key="id">CVE-2023-38408</elem><elem key="cvss">9.8</elem><elem key="type">cve</elem></table>
</table></script></port>
<port protocol="tcp" portid="465"><state state="open"/><service name="smtp" tunnel="ssl"/>
<script id="ssl-poodle" output="&#xa;  VULNERABLE:&#xa;  SSL POODLE information leak&#xa;    State: VULNERABLE&#xa;    Risk factor: High&#xa;">
<table key="CVE-2014-3566"><elem key="title">SSL POODLE information leak</elem><elem key="state">VULNERABLE</elem>
<table key="ids"><elem>CVE:CVE-2014-3566</elem></table>
<table key="description"><elem>SSLv3 is accepted with CBC.</elem></table>
<table key="refs"><elem>https://www.example.com/poodle.pdf</elem></table></table></script>
<script id="ssl-dh-params" output="NOT VULNERABLE"><table key="NMAP-1"><elem key="state">NOT VULNERABLE</elem></table></script></port>
<port protocol="tcp" portid="80"><state state="open"/><service name="http"/></port></ports>
<hostscript><script id="smb-vuln-ms17-010" output="State: LIKELY VULNERABLE">
<table key="CVE-2017-0143"><elem key="title">Remote code execution in SMBv1</elem><elem key="state">LIKELY VULNERABLE</elem></table>
</script></hostscript></host>
<runstats><finished time="1769850931"/></runstats>
</nmaprun>
`;

/** As `--jsonfile` writes them. */
export const testsslResults = [
  { id: 'service', ip: 'shop.example.com/192.0.2.7', port: '443', severity: 'INFO', finding: 'HTTP' },
  {
    id: 'BREACH',
    ip: 'shop.example.com/192.0.2.7',
    port: '443',
    severity: 'MEDIUM',
    cve: 'CVE-2013-3587',
    cwe: 'CWE-310',
    finding: 'potentially VULNERABLE, gzip HTTP compression detected',
  },
  { id: 'TLS1_2', ip: 'shop.example.com/192.0.2.7', port: '443', severity: 'OK', finding: 'offered' },
  { id: 'SSLv3', ip: '/192.0.2.7', port: '465', severity: 'HIGH', finding: 'offered' },
  { id: 'scanProblem', ip: '/', port: '443', severity: 'FATAL', finding: 'No connection' },
];

const defectDojoFindings = {
  type: 'Example Tool',
  findings: [
    {
      title: 'Default password',
      severity: 'Critical',
      description: 'The account admin has the default password.',
      mitigation: 'Change it.',
      impact: 'Full access.',
      date: '2026-01-31',
      cwe: 1392,
      cve: 'CVE-2024-11111',
      cvssv3: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
      references: 'See https://example.com/defaults.',
      vuln_id_from_tool: 'DEF-1',
      param: 'password',
      endpoints: [
        'https://a.example.com/login',
        { protocol: 'http', host: 'b.example.com', port: 8080, path: '/login' },
      ],
    },
    { title: 'In code', severity: 'Low', file_path: 'src/app.py', line: 7, component_name: 'app' },
    { title: 'Wrong', severity: 'High', false_p: true },
  ],
};

const gitlabReport = {
  version: '15.0.7',
  scan: {
    type: 'dast',
    status: 'success',
    scanner: { id: 'example', name: 'Example DAST', version: '1.0' },
    scanned_resources: [{ method: 'GET', url: 'https://shop.example.com/', type: 'url' }],
  },
  // Older reports of ZAP contain its own report as well.
  site: [],
  vulnerabilities: [
    {
      id: '8f0f3c0e-6f0e-5d5e-9a0b-0f1f2f3f4f5f',
      name: 'Reflected input',
      description: 'The input is part of the page.',
      severity: 'High',
      solution: 'Encode it.',
      identifiers: [
        { type: 'cwe', name: 'CWE-79', value: '79', url: 'https://cwe.mitre.org/data/definitions/79.html' },
        { type: 'example_rule', name: 'Example 40012', value: '40012' },
        { type: 'cve', name: 'CVE-2024-12345', value: 'CVE-2024-12345' },
      ],
      links: [{ url: 'https://example.com/xss' }],
      cvss_vectors: [{ vendor: 'Example', vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N' }],
      location: { hostname: 'https://shop.example.com', method: 'GET', path: '/search', param: 'q' },
      evidence: {
        summary: '<b>1 is part of the page',
        request: {
          method: 'GET',
          url: 'https://shop.example.com/search?q=1',
          headers: [{ name: 'Cookie', value: 'a=b' }],
        },
        response: { status_code: 200, reason_phrase: 'OK', headers: [] },
      },
    },
    { name: 'Marked', severity: 'Low', identifiers: [], flags: [{ type: 'flagged-as-likely-false-positive' }] },
    {
      message: 'At a host',
      severity: 'Unknown',
      identifiers: [{ type: 'x', value: 'R1' }],
      location: { hostname: 'a.example.com', path: '/x' },
    },
  ],
};

const DEFECTDOJO_CSV = `Date,Title,CweId,Url,Severity,Description,Mitigation,Impact,References,Active,Verified,FalsePositive,Duplicate,IsMitigated
2026-01-31,Open redirect,601,https://a.example.com/login?next=1,Medium,Any address is accepted.,Accept paths only.,Phishing,See https://example.com/601.,TRUE,TRUE,FALSE,FALSE,FALSE
2026-01-31,Not a weakness,0,https://a.example.com/,Low,Text.,,,,TRUE,FALSE,TRUE,FALSE,FALSE
2026-01-31,Known already,0,https://a.example.com/,Low,Text.,,,,TRUE,FALSE,False,True,FALSE
2026-01-31,Fixed,0,https://a.example.com/,Low,Text.,,,,FALSE,FALSE,,,TRUE
`;

const NESSUS_CSV = `Plugin ID,CVE,CVSS,Risk,Host,Protocol,Port,Name,Synopsis,Description,Solution,See Also,Plugin Output
20007,CVE-2014-3566,5.0,Medium,mail.example.com,tcp,465,SSL Version 2 and 3 Protocol Detection,Old protocols.,The service accepts old protocols.,Use TLS 1.2.,https://example.com/one,"SSLv3
is accepted."
10107,,,None,mail.example.com,tcp,80,HTTP Server Type and Version,A web server runs.,It names its version.,n/a,,nginx
`;

/** One file of each format, made for the tests in the shape that the tools write. */
export const exampleFiles: Readonly<Record<ScannerFormat, string>> = {
  'nuclei-jsonl': `${JSON.stringify(nucleiResult)}\n\n${JSON.stringify({ ...nucleiResult, 'matcher-status': false })}\n{"broken\n${JSON.stringify({ templateID: 'ssh-old', info: { severity: 'low', name: 'Old SSH', reference: '- http://example.com/a\n- http://example.com/b\n' }, matched: 'ssh.example.com:22', host: 'ssh.example.com' })}\n`,
  sarif: JSON.stringify(sarifLog, null, 1),
  'zap-json': JSON.stringify(zapReport, null, 1),
  'zap-xml': ZAP_XML,
  'burp-xml': BURP_XML,
  'nessus-xml': NESSUS_XML,
  'nmap-xml': NMAP_XML,
  'testssl-json': JSON.stringify(testsslResults, null, 1),
  'defectdojo-json': JSON.stringify(defectDojoFindings, null, 1),
  'gitlab-dast-json': JSON.stringify(gitlabReport, null, 1),
  'defectdojo-csv': DEFECTDOJO_CSV,
  'nessus-csv': NESSUS_CSV,
  csv: CSV_TEMPLATE,
};
