import { SEVERITIES, type Severity } from '../../../kernel/severity';
import { FINDING_STATUS, type FindingStatus, isOpen } from '../../findings/domain/finding-status';
import type { FindingOutline } from '../../findings';
import { completeOptions, type ReportOptions } from './report-options';
import type { ReportPeriod } from './report-period';
import { statusName } from './snapshot-finding';

/** What a generated report had, for the page about it and for later reports that are compared with it. */
export interface ReportContents {
  readonly taken: string;
  readonly findings: readonly (readonly [id: number, status: number, severity: number])[];
  readonly left_out: number;
  /** At most 200. */
  readonly left_out_findings: readonly {
    readonly id: number;
    readonly title: string;
    readonly reasons: readonly string[];
  }[];
}

/** An earlier report of the same subject. */
export interface EarlierReport extends ReportPeriod {
  readonly id: number;
  readonly organizationId: number;
  readonly eventId: number | null;
  readonly jobUuid: string | null;
  readonly options: ReportOptions;
  readonly contents: ReportContents;
}

export const COMPARED_STATES = ['regressed', 'new', 'still_open', 'fixed', 'set_aside'] as const;
export type ComparedState = (typeof COMPARED_STATES)[number];

export interface SnapshotComparison {
  readonly report_id: number;
  readonly taken: string;
  readonly counts: Readonly<Record<ComparedState, number>>;
  /** By state, and in the order of the report. */
  readonly findings: readonly {
    readonly id: number;
    readonly title: string;
    readonly asset_value: string;
    readonly severity: Severity;
    readonly state: ComparedState;
    readonly was: string | null;
    readonly is: string;
  }[];
  /** Differences of the two reports that no change of a finding explains. */
  readonly notes: readonly string[];
}

/** Null if there is nothing to report: closed then and closed now, in any way. */
function stateOf(was: number | undefined, is: number): ComparedState | null {
  const isOpenNow = isOpen(is as FindingStatus);
  if (was === undefined) return 'new';
  if (isOpenNow) return was === FINDING_STATUS.resolved ? 'regressed' : 'still_open';
  if (!isOpen(was as FindingStatus)) return null;
  return is === FINDING_STATUS.resolved ? 'fixed' : 'set_aside';
}

/** The options that decide which findings a report has. */
const SELECTING = {
  min_severity: 'least severity',
  statuses: 'statuses',
  include_resolved: 'resolved findings',
  left_out_findings: 'findings left out by choice',
  owner: 'owner of the assets',
} as const satisfies Partial<Record<keyof ReportOptions, string>>;

function differencesOf(one: EarlierReport, other: ReportPeriod & { readonly options: ReportOptions }): string[] {
  const names: string[] = Object.entries(SELECTING)
    .filter(([name]) => {
      const [then, now] = [one, other].map(({ options }) => completeOptions(options)[name as keyof typeof SELECTING]);
      return JSON.stringify(then) !== JSON.stringify(now);
    })
    .map(([, text]) => text);
  if (+one.startDate !== +other.startDate || +one.endDate !== +other.endDate) names.push('period');
  return names.length === 0
    ? []
    : [`The options of the two reports differ (${names.join(', ')}), so each may lack findings that the other has.`];
}

/** "1 finding was", "3 findings were". */
const findingsWere = (count: number): string => (count === 1 ? '1 finding was' : `${count} findings were`);

/**
 * Compares by the status that each finding has now, whether this report shows it or not: an option that hides a finding does
 * not fix it. `others` are findings of the earlier report that are not in this one and still exist.
 */
export function compareReports(
  earlier: EarlierReport,
  report: ReportPeriod & { readonly options: ReportOptions },
  chosen: readonly FindingOutline[],
  others: readonly FindingOutline[],
): SnapshotComparison {
  const before = new Map(earlier.contents.findings.map(([id, status]) => [id, status]));
  const taken = new Date(earlier.contents.taken);
  const present = [...chosen, ...others];
  const hidden = present.filter(({ id, firstSeen }) => !before.has(id) && firstSeen <= taken);
  const skipped = new Set(hidden.map(({ id }) => id));
  const rows = present.flatMap((one) => {
    const was = before.get(one.id);
    const state = skipped.has(one.id) ? null : stateOf(was, one.status);
    return state === null ? [] : [rowOf(one, was, state)];
  });
  const existing = new Set(present.map(({ id }) => id));
  const gone = [...before.keys()].filter((id) => !existing.has(id)).length;
  const byState = COMPARED_STATES.map((state) => [state, rows.filter((row) => row.state === state)] as const);
  return {
    report_id: earlier.id,
    taken: earlier.contents.taken,
    counts: Object.fromEntries(byState.map(([state, of]) => [state, of.length])) as SnapshotComparison['counts'],
    findings: byState.flatMap(([, of]) => of),
    notes: [
      ...differencesOf(earlier, report),
      ...(hidden.length === 0
        ? []
        : [
            `${findingsWere(hidden.length)} known before the earlier report and not in it, and ${hidden.length === 1 ? 'does' : 'do'} not count as new.`,
          ]),
      ...(gone === 0 ? [] : [`${findingsWere(gone)} in the earlier report and deleted or merged since.`]),
    ],
  };
}

const rowOf = (
  { id, title, assetValue: asset_value, severity, status }: FindingOutline,
  was: number | undefined,
  state: ComparedState,
): SnapshotComparison['findings'][number] => ({
  id,
  title,
  asset_value,
  severity: SEVERITIES[severity],
  state,
  was: was === undefined ? null : statusName(was),
  is: statusName(status),
});
