import { type Check, CHECKS, cwe, owaspCategory, placeOf, type Standard, wstgTest } from '../../src/engine';
import { scoreOfVector } from '../../src/modules/findings/domain/cvss';
import { SCANNER_RULES, type ScannerRule } from '../../src/modules/imports/domain/scanner-checks';

interface Group {
  readonly on: Check['on'];
  readonly title: string;
  readonly about: string;
}

const GROUPS: readonly Group[] = [
  { on: 'page', title: 'Web pages', about: 'Tested on the page of the target: headers, cookies, forms and content.' },
  {
    on: 'origin',
    title: 'Web servers',
    about: 'Tested once for each origin (scheme, host and port): exposed files, and tools that should not be public.',
  },
  { on: 'tls', title: 'TLS and certificates', about: 'Tested once for each origin over HTTPS, at each IP address.' },
  { on: 'dns', title: 'DNS and mail', about: 'Tested on the DNS zone of the host, at each authoritative server.' },
  { on: 'tcp', title: 'Services', about: 'Tested on a port, in the protocol of the service and without credentials.' },
];

const SCHEMES = ['http', 'https', 'tcp', 'dns'] as const;

const testedOver = (check: Check): string =>
  SCHEMES.filter((scheme) => placeOf(check, { scheme, host: 'www.example.com', port: 1, path: '/' }).applicable).join(
    ', ',
  );

const link = ({ id, name, url }: Standard): string => `[${id}](${url})${name === null ? '' : ` ${name}`}`;

const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(' ', '-');

const cvssOf = ({ cvss }: Check): string =>
  cvss === null
    ? 'none: the check is informational'
    : `${scoreOfVector(cvss).toFixed(1)} [${cvss}](https://www.first.org/cvss/calculator/3.1#${cvss})`;

const FIX = '**How to fix it.** ';

/** The lines of a paragraph as one line. */
const joined = (paragraph: string): string => paragraph.replace(/\s+/g, ' ').trim();

const isCode = (paragraph: string): boolean => paragraph.startsWith('    ');

/** What the weakness means: the paragraphs before the fix. */
const meaningOf = ({ text }: Check): string =>
  text.slice(0, text.indexOf(FIX)).split('\n\n').map(joined).join('\n\n').trim();

/** Shorter than this, a sentence such as "Delete the copy." leaves out what else to do. */
const SHORTEST_REMEDIATION = 60;

/** The first sentence about the fix, or several short ones. Lines of code after it become code in the sentence. */
function remediationOf({ text }: Check): string {
  const [first = '', second = ''] = text.slice(text.indexOf(FIX) + FIX.length).split('\n\n');
  let remediation = '';
  for (const sentence of joined(first).split(/(?<=[.]) (?=[A-Z`])/)) {
    if (remediation.length < SHORTEST_REMEDIATION) remediation = `${remediation} ${sentence}`.trim();
  }
  if (remediation.endsWith('.')) return remediation;
  const code = isCode(second) ? second.split('\n').map((line) => `\`${line.trim()}\``) : [];
  return `${remediation} ${code.join(' and ')}.`;
}

const SCANNERS = { zap: 'ZAP', burp: 'Burp', nessus: 'Nessus', nuclei: 'Nuclei' } as const;

const ruleOf = ({ scanner, rule, parameter }: ScannerRule): string =>
  `${SCANNERS[scanner]} \`${rule}\`${parameter === undefined ? '' : ` (matcher \`${parameter}\`)`}`;

const rulesFor = (id: string): string =>
  SCANNER_RULES.filter(({ check }) => check === id)
    .map(ruleOf)
    .join(', ');

function sectionOf(check: Check): string {
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['Severity', check.severity],
    ['CVSS', cvssOf(check)],
    ['CWE', check.cwe.map((number) => link(cwe(number))).join(', ')],
    ['OWASP Top 10', check.owasp.map((category) => link(owaspCategory(category))).join(', ')],
    ['OWASP WSTG 4.2', check.wstg.map((test) => link(wstgTest(test))).join(', ')],
    ['Tested over', testedOver(check)],
    ['Usual ports', check.on === 'tcp' ? check.ports.join(', ') : ''],
    ['Rules of scanners', rulesFor(check.id)],
  ];
  const links = check.references.map((address) => `<${address}>`).join(', ');
  return [
    `### ${check.id}`,
    `**${check.title}.** ${meaningOf(check)}`,
    facts.flatMap(([name, value]) => (value === '' ? [] : [`- ${name}: ${value}`])).join('\n'),
    `**How it decides.** ${check.decides}`,
    `**How to fix it.** ${remediationOf(check)}`,
    `References: ${links}`,
  ].join('\n\n');
}

function table(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.slice(1).map(line)].join('\n');
}

const checksOf = ({ on }: Group): readonly Check[] => CHECKS.filter((check) => check.on === on);

function contentsOf(group: Group): string {
  const rows = checksOf(group).map(({ id, title, severity, cwe: [number] }) => [
    `[${id}](#${id})`,
    title,
    severity,
    number === undefined ? '' : cwe(number).id,
  ]);
  return [
    `**[${group.title}](#${anchorOf(group.title)})**`,
    table([['Check', 'What it detects', 'Severity', 'CWE'], ...rows]),
  ].join('\n\n');
}

/** docs/checks.md. */
export const checksPage = (): string =>
  `${[
    '# Checks',
    '<!-- Generated from the code by `npm run docs:checks`. Do not edit. -->',
    `Assay has ${CHECKS.length} built-in checks. A job runs all of them that apply to its target. You can also write [checks in
YAML](#checks-in-yaml).`,
    `"Fixed" below is what the decisive requests must show. A retest sends them at least sixteen times, with controls, before
it returns \`fixed\`: [verdicts.md](verdicts.md) has these rules. When an answer proves neither, the result is
\`inconclusive\`.`,
    `Each finding of a job has the severity, the CVSS vector and the first CWE of its check. A CVSS vector describes the
typical case: change the severity of a finding in your own assessment where your case differs. The category of the OWASP Top
10 is the one to which OWASP maps the CWE, or the one whose description names the case.`,
    'The [results of other scanners](imports.md) with the named rules are tested by the check.',
    '## Contents',
    ...GROUPS.map(contentsOf),
    ...GROUPS.flatMap((group) => [`## ${group.title}`, group.about, ...checksOf(group).map(sectionOf)]),
    '## Checks in YAML',
    `A finding can have its own check in the format of HTTP scanner templates: \`id\`, \`info\` and \`http\`. Its classification
is read from \`info.classification\` (\`cwe-id\`, \`cvss-metrics\`) and \`info.reference\`. Such a check is vulnerable if a
response matches, and fixed when none does. [templates.md](templates.md) lists what of the format runs. Everything else is
refused by name. [openapi.yaml](openapi.yaml) describes the field \`check.http\` of \`POST /v1/events/{slug}/findings/\`.`,
  ].join('\n\n')}\n`;
