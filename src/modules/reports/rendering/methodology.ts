import type { ReportSnapshot, SnapshotCheck } from '../domain/report-snapshot';
import { limitationsOf, testCoverageOf } from './sentences';
import { formatMoment, formatPeriod, joinWithAnd, pluralize } from './text-format';

/** A part of the methodology. */
export interface MethodologyPart {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly items: readonly string[];
}

/** A published standard and its use in the report. */
export interface StandardUse {
  readonly name: string;
  readonly address: string;
  readonly use: string;
}

/** How the findings and results of a report were obtained. Both formats show these words. */
export const methodologyOf = (snapshot: ReportSnapshot): readonly MethodologyPart[] => [
  {
    title: 'What was tested',
    paragraphs: [testsSentence(snapshot), guideSentence(snapshot), findingsSourceSentence(snapshot)].filter(
      (text) => text !== '',
    ),
    items: [],
  },
  {
    title: 'How a verdict is reached',
    paragraphs: [
      'A check finds a vulnerability only if the content of a response shows it. A status code alone never does. When a vulnerability is seen, Assay stores a baseline: a control page, the decisive request with its response, the response for a path that does not exist, and the address of the server.',
      'A retest repeats the check and compares each response with the baseline:',
    ],
    items: [
      'Fixed: several full probes, and sixteen decisive requests to each address of the target, each on its own connection, show no trace of the vulnerability. Half of them look like a browser, and half have an address that no cache knows. The control page and the response for a missing path are the same as before, so the same system responded.',
      'Still vulnerable: one response shows the vulnerability.',
      'Inconclusive: no response shows the vulnerability, but another system may have responded, such as a firewall, a cache or a maintenance page. The reason is stated, and the finding is not resolved.',
    ],
  },
  {
    title: 'How findings are rated',
    paragraphs: [
      'The severity follows from the CVSS base score of the finding. Without a score, a person or the check states the severity. The priority from 1 (most urgent) to 5 combines the severity with the importance (tier) of the asset.',
    ],
    items: [],
  },
  {
    title: 'Integrity',
    paragraphs: [
      'The evidence of each automatic retest is signed (Ed25519). Anyone with the public key can verify it offline, without access to the service. Passwords, cookies and keys in requests and responses are redacted before they are stored.',
    ],
    items: [],
  },
  {
    title: 'Limits',
    paragraphs: [],
    items: [
      `The report shows the state at ${formatMoment(snapshot.taken)}. Later changes are not in it.`,
      ...limitationsOf(snapshot),
      'Built-in checks use no account. They test transport security, configuration, exposed files, DNS and network services. They do not search for flaws in business logic or behind a login.',
      'If only a few of many servers behind one address are vulnerable, a retest can miss them: sixteen requests miss one of four servers with a probability of one percent.',
      'The absence of findings does not prove that there are no vulnerabilities.',
    ],
  },
];

function testsSentence({ scope, checks, assay_version, start_date, end_date, taken, subject }: ReportSnapshot): string {
  const { tested } = testCoverageOf(scope.in_scope);
  const period = formatPeriod(start_date, end_date < taken || start_date > taken ? end_date : taken);
  const assets = `${tested} of ${pluralize(scope.in_scope.length, 'asset')}${subject === 'event' ? ' in scope' : ''}`;
  if (checks.length === 0) return `Assay ${assay_version} ran no check in the period of this report, ${period}.`;
  const sum = (of: 'completed' | 'not_completed'): number => checks.reduce((total, check) => total + check[of], 0);
  const incomplete = sum('not_completed');
  const left = incomplete === 0 ? '' : `, and ${incomplete} could not be completed`;
  return `Assay ${assay_version} tested ${assets} in the period ${period}, over the network and without an account. ${pluralize(checks.length, 'check')} ran. ${pluralize(sum('completed'), 'test')} of a page, a service or a zone ${sum('completed') === 1 ? 'was' : 'were'} completed${left}.`;
}

/** The tests of the OWASP Web Security Testing Guide that the checks carried out. */
function guideSentence({ checks }: ReportSnapshot): string {
  const ids = [...new Set(checks.flatMap(({ wstg }) => wstg.map(({ id }) => id)))].toSorted();
  return ids.length === 0
    ? ''
    : `They carry out these tests of the OWASP Web Security Testing Guide: ${ids.join(', ')}.`;
}

function findingsSourceSentence({ totals, summary: { with_check: byCheck } }: ReportSnapshot): string {
  const byPerson = totals.findings - byCheck;
  const parts = [
    ...(byCheck > 0
      ? [
          `${pluralize(byCheck, 'finding')} of this report ${byCheck === 1 ? 'has' : 'have'} a check that retests can repeat`,
        ]
      : []),
    ...(byPerson > 0
      ? [
          `${pluralize(byPerson, 'finding')} ${byPerson === 1 ? 'was' : 'were'} recorded by people, whose descriptions say how they were found`,
        ]
      : []),
  ];
  return parts.length === 0 ? '' : `${joinWithAnd(parts)}.`;
}

/** The report of a job lists its tests instead. */
export const checksOf = ({ job, checks }: ReportSnapshot): readonly SnapshotCheck[] => (job === null ? checks : []);

/** The title of a check, or its id for a check in YAML. */
export const checkTitle = ({ id, title }: SnapshotCheck): string => title ?? id;

export const owaspText = ({ owasp }: SnapshotCheck): string => owasp.map(({ id }) => id).join(', ');

export const cweAddress = (cwe: number): string => `https://cwe.mitre.org/data/definitions/${cwe}.html`;

export const STANDARDS: readonly StandardUse[] = [
  {
    name: 'CVSS 3.1 and 4.0 (FIRST)',
    address: 'https://www.first.org/cvss/',
    use: 'Scores of findings. Severities follow from them.',
  },
  {
    name: 'CWE (MITRE)',
    address: 'https://cwe.mitre.org/',
    use: 'The class of weakness of a finding.',
  },
  {
    name: 'OWASP Top 10, 2021 and 2025',
    address: 'https://owasp.org/Top10/',
    use: 'The category of the weakness that a built-in check detects.',
  },
  {
    name: 'OWASP Web Security Testing Guide 4.2',
    address: 'https://owasp.org/www-project-web-security-testing-guide/v42/',
    use: 'Built-in checks carry out some of its tests of configuration, sessions, transport and information leaks, not all of them.',
  },
  {
    name: 'OWASP ASVS 5.0',
    address: 'https://owasp.org/www-project-application-security-verification-standard/',
    use: 'Recommended as the requirements for a fix. This report does not certify a level.',
  },
  {
    name: 'PTES (Penetration Testing Execution Standard)',
    address: 'http://www.pentest-standard.org/index.php/Reporting',
    use: 'The outline of this report: an executive summary, then the technical part.',
  },
];
