import { SEVERITIES, type Severity } from '../../../kernel/severity';
import { isFixedByRefusal, isFixProved } from '../domain/proved-fix';
import type { ReportSnapshot } from '../domain/report-snapshot';
import { type Disposition, dispositionOf } from './disposition';
import { reportContentsOf } from './report-contents';
import { testCoverageOf } from './sentences';
import { formatDay, formatMoment, formatPeriod, pluralize } from './text-format';
import { type LabeledText, titlePageOf } from './title-page';

/** One page for people outside the organization: no title, address or request of a finding is in it. */
export interface Letter {
  readonly kind: string;
  readonly title: string;
  readonly organization: string;
  readonly date: string;
  readonly paragraphs: readonly string[];
  /** By severity, the worst first, then all. */
  readonly counts: readonly (Readonly<Record<Disposition | 'all', number>> & { readonly severity: Severity | null })[];
  readonly facts: readonly LabeledText[];
  /** Under the line for the signature. */
  readonly signatory: string;
  readonly notice: string;
}

export const LETTER_COLUMNS = ['Severity', 'Open', 'Fixed', 'Set aside', 'All'] as const;

function countsOf(findings: ReportSnapshot['findings']): Letter['counts'] {
  const countOf = (severity: Severity | null): Letter['counts'][number] => {
    const of = findings.filter((one) => severity === null || one.severity === severity);
    const count = (wanted: Disposition): number => of.filter(({ status }) => dispositionOf(status) === wanted).length;
    return {
      severity,
      open: count('open'),
      resolved: count('resolved'),
      set_aside: count('set_aside'),
      all: of.length,
    };
  };
  return [
    ...SEVERITIES.toReversed()
      .map(countOf)
      .filter(({ all }) => all > 0),
    countOf(null),
  ];
}

export function letterOf(snapshot: ReportSnapshot): Letter {
  const { findings, totals, scope, checks, assay_version, start_date, end_date, taken, options, organization } =
    snapshot;
  const { title, organization: name } = titlePageOf(snapshot);
  const { tester, recipient, contact, author } = options.title_page;
  const { tested } = testCoverageOf(scope.in_scope);
  const proved = findings.filter((one) => dispositionOf(one.status) === 'resolved' && isFixProved(one));
  const byRefusal = proved.filter(isFixedByRefusal).length;
  const period = formatPeriod(start_date, end_date < taken || start_date > taken ? end_date : taken);
  const { assessment } = snapshot;
  return {
    kind: 'Attestation letter',
    title,
    organization: name,
    date: formatMoment(taken),
    paragraphs: [
      `This letter states that the security of ${organization.name} was tested in the period ${period}. ${tested} of ${pluralize(scope.in_scope.length, 'asset')} in scope ${tested === 1 ? 'was' : 'were'} tested by Assay ${assay_version}, with ${pluralize(checks.length, 'automatic check')}. Findings of people and of other scanners are included.`,
      'A check reports a weakness only if the content of a response shows it. A weakness counts as proved to be fixed only if several retests on new connections show no trace of it while the same system answers. Severities follow CVSS.',
    ],
    counts: countsOf(findings),
    facts: [
      [
        'Proved to be fixed',
        `${proved.length} of ${totals.resolved} fixed, by a signed retest${byRefusal === 0 ? '' : `; ${byRefusal} of them by a refusal alone`}`,
      ],
      ...reportContentsOf(snapshot).slice(0, 1),
      ...(totals.left_out === 0
        ? []
        : ([
            ['Not counted', `${pluralize(totals.left_out, 'finding')} that the period or the options exclude`],
          ] as const)),
      ...(assessment === null || assessment.rating === null
        ? []
        : ([
            ['Overall rating', `${assessment.rating}, by ${assessment.author} on ${formatDay(assessment.written)}`],
          ] as const)),
      ['Prepared for', recipient ?? organization.name],
      ...(tester === null ? [] : ([['Tester', tester]] as const)),
      ...(contact === null ? [] : ([['Contact', contact]] as const)),
      ['Evidence key', snapshot.evidence_key ?? 'Nothing is signed yet'],
      ...(snapshot.report_id === null ? [] : ([['Reference', `Report ${snapshot.report_id}`]] as const)),
    ],
    signatory: author ?? tester ?? 'Name',
    notice:
      'It shows the state at the time above. The absence of findings does not prove that there are no vulnerabilities. Anyone with the public key can verify the signed evidence.',
  };
}
