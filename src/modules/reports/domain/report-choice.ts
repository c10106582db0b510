import { dayOf } from '../../../kernel/day';
import { SEVERITIES, severityNumber } from '../../../kernel/severity';
import { FINDING_STATUS, findingStatusVocabulary } from '../../findings/domain/finding-status';
import type { FindingOutline, FindingSelection, UnselectedFinding } from '../../findings';
import type { ReportOptions } from './report-options';
import type { ReportPeriod } from './report-period';
import type { SnapshotLeftOut } from './report-snapshot';
import { statusName } from './snapshot-finding';

const all = findingStatusVocabulary.map(({ number }) => number);

/** The findings that a report shows: they satisfy every option, and were seen in the period. */
export const findingChoiceOf = (
  options: ReportOptions,
  { startDate, endDate, organizationId }: ReportPeriod & { readonly organizationId: number },
): FindingSelection => ({
  minSeverity: severityNumber(options.min_severity),
  statuses: (options.statuses.length > 0 ? options.statuses : all).filter(
    (status) => options.include_resolved || status !== FINDING_STATUS.resolved,
  ),
  seenFrom: startDate,
  seenTo: endDate,
  withoutIds: options.left_out_findings,
  owner: options.owner,
  organizationId,
});

/** Why a finding of the subject is not in the report: every reason, not only the first. */
export function leftOutOf(finding: UnselectedFinding, choice: FindingSelection): SnapshotLeftOut {
  const { id, title, assetValue: asset_value, severity, status, inPeriod, isOwned, firstSeen, lastSeen } = finding;
  const isPast = lastSeen < choice.seenFrom;
  const reasons = [
    choice.withoutIds.includes(id) && 'It was left out by choice.',
    severity < choice.minSeverity && `Its severity is below ${SEVERITIES[choice.minSeverity]}.`,
    !choice.statuses.includes(status) && `Its status is ${statusName(status).replaceAll('_', ' ')}.`,
    !isOwned && 'Its asset has another owner, or none.',
    !inPeriod && isPast && `It was last seen on ${dayOf(lastSeen)}, before the period.`,
    !inPeriod && !isPast && `It was recorded on ${dayOf(firstSeen)}, after the period.`,
  ].filter((reason) => reason !== false);
  return { id, title, asset_value, severity: SEVERITIES[severity], status_name: statusName(status), reasons };
}

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);

/** In the order of the options. They come most urgent first, and the order among equals stays. */
export function arranged(
  chosen: readonly FindingOutline[],
  { order, first_findings }: ReportOptions,
): FindingOutline[] {
  const ordered = {
    priority: () => [...chosen],
    severity: () => chosen.toSorted((one, other) => other.severity - one.severity),
    asset: () => chosen.toSorted((one, other) => compare(one.assetValue, other.assetValue)),
  }[order]();
  const places = new Map(first_findings.map((id, index) => [id, index]));
  const placeOf = ({ id }: FindingOutline): number => places.get(id) ?? places.size;
  return places.size === 0 ? ordered : ordered.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Evidence is the one section that is not only shown or not: where it is not wanted it is not even read. */
export const includesEvidence = ({ kind, include_evidence, sections }: ReportOptions): boolean =>
  kind === 'report' && include_evidence && sections.includes('evidence');
