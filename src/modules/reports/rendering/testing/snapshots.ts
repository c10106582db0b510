import type { ReportSnapshot, SnapshotJob } from '../../domain/report-snapshot';
import { demoAdditions } from './demo-additions';
import { demoChanges } from './demo-changes';
import { demoFindings } from './demo-findings';
import { HOSTILE_TEXTS } from './hostile-texts';
import { worldFindings } from './world-findings';
import { after, demoEvent, finding, probe, retest, move, scopeAsset, snapshotOf } from './snapshot-of';

/** An event in which nothing was found: one asset was tested, one was not. */
export const emptySnapshot = (): ReportSnapshot =>
  snapshotOf({
    timeline: [],
    scope: {
      in_scope: [
        scopeAsset(1, 'shop.nordwind.example', { tier: 1, last_tested: after(30), checks_completed: 51 }),
        scopeAsset(2, 'api.nordwind.example'),
      ],
      out_of_scope: [],
    },
  });

const demoChecks = (): ReportSnapshot['checks'] => [
  {
    id: 'exposed-git',
    title: 'A Git repository is public',
    cwe: 527,
    owasp: [{ id: 'A01:2021', name: 'Broken Access Control', url: 'https://owasp.org/Top10/' }],
    wstg: [{ id: 'WSTG-CONF-04', name: 'Review Old Backup', url: 'https://owasp.org/wstg/' }],
    completed: 4,
    not_completed: 1,
  },
  { id: 'reflected-markup', title: null, cwe: null, owasp: [], wstg: [], completed: 9, not_completed: 0 },
];

/** A typical event after a few weeks of use. */

export function demoSnapshot(): ReportSnapshot {
  const findings = demoFindings();
  const on = (value: string): number => findings.filter((one) => one.asset_value === value).length;
  const asset = (id: number, value: string, parts: Parameters<typeof scopeAsset>[2]) =>
    scopeAsset(id, value, { findings: on(value), ...parts });
  const snapshot = snapshotOf({
    ...demoAdditions,
    findings,
    checks: demoChecks(),
    scope: {
      in_scope: [
        asset(1, 'shop.nordwind.example', {
          tier: 1,
          description: 'The public shop, with its checkout.',
          last_tested: after(400),
          checks_completed: 51,
        }),
        asset(2, 'api.nordwind.example', {
          tier: 1,
          last_tested: after(401),
          checks_completed: 47,
          not_tested: [
            {
              check: 'tls-certificate',
              location: 'tcp://api.nordwind.example:8443',
              reason: 'The connection was refused three times.',
            },
            {
              check: 'exposed-git',
              location: 'https://api.nordwind.example/.git/HEAD',
              reason: 'Every path answers like every other, so an answer shows nothing.',
            },
          ],
        }),
        asset(3, 'mail.nordwind.example', { last_tested: after(399), checks_completed: 12 }),
        asset(4, '198.51.100.0/24', { type: 'cidr', tier: 3, description: 'Offices: no route to them yet.' }),
      ],
      out_of_scope: [
        scopeAsset(9, 'pay.partner.example', {
          tier: null,
          description: 'Run by the payment provider, tested by them.',
        }),
      ],
    },
  });
  // So that it has every section; that of an event has none.
  return { ...snapshot, changes: demoChanges };
}

/** A finding in each script that the fonts of reports cover. */
export const worldSnapshot = (): ReportSnapshot => snapshotOf({ findings: worldFindings() });

/** Hostile texts in every text field, each of the maximum length. */
export function hostileSnapshot(): ReportSnapshot {
  const texts = Object.values(HOSTILE_TEXTS);
  const at = (index: number, longest = 1_000): string => (texts[index % texts.length] ?? '').slice(0, longest);
  return snapshotOf({
    organization: { id: 7, name: HOSTILE_TEXTS.typst.slice(0, 200) },
    event: { ...demoEvent, name: HOSTILE_TEXTS.override },
    findings: texts.map((text, index) =>
      finding(index + 1, {
        title: at(index, 500),
        md: text,
        asset_value: at(index + 1, 2_048),
        location: at(index + 2, 2_048),
        check: at(index + 3, 200),
        cvss_vector: at(index + 4, 300),
        history: [move(1, at(index), at(index + 1), at(index + 2), at(index + 3)), move(2, null, at(index + 4))],
        retests: [
          retest(50, {
            result: 'still_vulnerable',
            reason: at(index + 5),
            signed_by: at(index, 64),
            probes: [probe(51, 'vulnerable', at(index), [[text, at(index + 1, 16_384)]])],
          }),
        ],
      }),
    ),
    scope: {
      in_scope: texts.map((_, index) =>
        scopeAsset(index + 1, at(index, 2_048), {
          description: at(index + 1),
          not_tested: [{ check: at(index + 2, 200), location: at(index + 3, 2_048), reason: at(index + 4) }],
        }),
      ),
      out_of_scope: texts.map((_, index) => scopeAsset(100 + index, at(index, 300))),
    },
  });
}

/** Many ordinary findings, each with its own title. */
export function thousandSnapshot(count = 1_000): ReportSnapshot {
  const kinds = demoFindings();
  const findings = Array.from({ length: count }, (_, index) => {
    const kind = kinds[index % kinds.length] ?? kinds[0];
    const asset = 1 + (index % 40);
    const { id: _id, ...parts } = kind ?? finding(1, { title: 'A finding' });
    return finding(index + 1, {
      ...parts,
      title: `${parts.title}, number ${index + 1}`,
      asset_id: asset,
      asset_value: `host-${asset}.nordwind.example`,
      fingerprint: (index + 1).toString(16).padStart(64, '0'),
    });
  });
  return snapshotOf({
    findings: findings.toSorted((one, other) => one.priority - other.priority || one.id - other.id),
    scope: {
      in_scope: Array.from({ length: 40 }, (_, index) =>
        scopeAsset(index + 1, `host-${index + 1}.nordwind.example`, {
          findings: findings.filter((one) => one.asset_id === index + 1).length,
          last_tested: index % 7 === 0 ? null : after(300 + index),
          checks_completed: index % 7 === 0 ? 0 : 51,
        }),
      ),
      out_of_scope: [],
    },
  });
}

const SHOP = 'https://shop.nordwind.example';

/** A finished job with a finding that fails its gate, one below it, one that it fixed, and one that it did not see. */
export function jobSnapshot(parts: Partial<SnapshotJob> = {}): ReportSnapshot {
  const test = (
    check: string,
    path: string,
    outcome: SnapshotJob['tests'][number]['outcome'],
    reason = 'The answer shows it.',
  ) => ({ check, location: `${SHOP}${path}`, outcome, reason });
  const found = (
    id: number,
    title: string,
    severity: 'high' | 'low',
    more: Omit<Parameters<typeof finding>[1], 'title'>,
  ) => finding(id, { title, severity, created: after(0), last_seen: after(0), ...more });
  return snapshotOf({
    subject: 'job',
    event: null,
    report_id: null,
    taken: '2026-11-02T08:01:00.000Z',
    job: {
      uuid: '3f8e0f0a-6d0c-4c55-9a53-0d8c0a4d3b11',
      url: `${SHOP}/cart`,
      beacon: null,
      status: 'FINISHED',
      created: after(0),
      started: after(0),
      finished: '2026-11-02T08:01:00.000Z',
      error: null,
      gate: { severity: 'medium', success: false, description: 'Findings of at least medium severity: 2.' },
      tests: [
        test('exposed-git', '/.git/HEAD', 'vulnerable'),
        test('no-hsts', '/', 'vulnerable'),
        test('exposed-env', '/.env', 'not_vulnerable'),
        test('tls-certificate', '/', 'inconclusive', 'The connection was refused three times.'),
        test('open-redirect', '/', 'not_applicable'),
      ],
      ...parts,
    },
    check_descriptions: [
      {
        id: 'exposed-git',
        title: 'Public Git repository',
        text: 'Anyone can download the repository.\n\nBlock the folder `.git`.',
        severity: 'high',
        cwe: [527, 538],
        owasp: ['A05:2021'],
        references: ['https://git-scm.com/docs'],
      },
      {
        id: 'no-hsts',
        title: 'No HSTS',
        text: 'Send the header.',
        severity: 'low',
        cwe: [],
        owasp: [],
        references: [],
      },
    ],
    findings: [
      found(1, 'Public Git repository', 'high', {
        check: 'exposed-git',
        location: `${SHOP}/.git/HEAD`,
        md: 'Anyone can download the repository.',
        cwe: 527,
        job: { outcome: 'seen', severity: 'high', fails_gate: true },
      }),
      found(2, 'No HSTS', 'low', {
        check: 'no-hsts',
        location: `${SHOP}/`,
        job: { outcome: 'seen', severity: 'low', fails_gate: false },
      }),
      found(3, 'Configuration file', 'high', {
        check: 'exposed-env',
        location: `${SHOP}/.env`,
        status: 5,
        job: { outcome: 'fixed', severity: 'high', fails_gate: false },
      }),
      found(4, 'SQL injection <q>', 'high', {
        md: 'A quote & more.',
        job: { outcome: 'not_seen', severity: 'high', fails_gate: true },
      }),
    ],
  });
}
