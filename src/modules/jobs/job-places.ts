import type { Coverage } from '../../engine';
import { severityOf } from '../../kernel/severity';
import type { Acceptances } from '../assets';
import type { KnownFindingRow } from './data/job-findings.repository';
import type { Job } from './data/job.entity';
import type { UntestedRow } from './data/untested-findings.repository';
import type { ComparedPlace } from './domain/job-reference';
import type { EarlierFinding } from './domain/job-success';

/** Reads the assets of findings before `accepted` is asked for them. */
export const learnAssets = (
  accepted: Acceptances,
  rows: readonly Pick<UntestedRow, 'builtInCheck' | 'assetId'>[],
): Promise<void> => accepted.learn(rows.map(({ builtInCheck, assetId }) => ({ check: builtInCheck, assetId })));

/** Whether the reference of the request had it. */
export type IsKnown = (place: ComparedPlace) => boolean;

export const countedOf = (
  { id, title, severity, checkId, builtInCheck, location, assetId }: Omit<UntestedRow, 'ownId' | 'isProved'>,
  beaconId: number | null,
  accepted: Acceptances,
  isKnown: boolean,
) => ({
  id,
  title,
  severity: severityOf(severity),
  place: location,
  check: checkId,
  accepted: accepted.find({
    check: builtInCheck,
    location,
    beaconId,
    assetId,
    finding: { id, severity: severityOf(severity) },
  }),
  ...(isKnown && { isKnown }),
});

/** Nothing was tested at its place: without a check, only the finding itself can be compared. */
export const untestedPlace = (row: UntestedRow): ComparedPlace => ({ ...row, location: null, account: null });

export const untestedFinding = (
  row: UntestedRow,
  { beaconId }: Job,
  accepted: Acceptances,
  isKnown: IsKnown,
): EarlierFinding => ({
  ...countedOf(row, beaconId, accepted, isKnown(untestedPlace(row))),
  isProved: row.isProved,
  unconfirmed: true,
  confirmedFixed: false,
  undecided: null,
  reason: row.checkId === null ? 'it has no check' : `its check is for ${row.location}, where this job sent nothing`,
});

const ONLY_MERGED = 'only what is merged into it was tested';
const notRunReason = ({ account }: KnownFindingRow): string =>
  account === null
    ? 'this job did not run its check'
    : 'it was seen with an account, and this job did not run its check with it';

export type RowOfPlace = (check: string, location: string, account: number | null) => Coverage | undefined;

/** What the test of a known finding ended with, or what the check saw. */
function testOf(tested: Coverage | undefined) {
  if (tested === undefined) return undefined;
  const { reason, refusal = null } = tested.verdict ?? tested;
  const result = tested.verdict?.result ?? tested.outcome;
  const byRefusal = tested.verdict?.byRefusal !== undefined;
  return {
    reason,
    byRefusal,
    undecided: result === 'inconclusive' || result === 'blocked' ? { result, refusal } : null,
  };
}

export const earlierFinding = (
  row: KnownFindingRow,
  { beaconId }: Job,
  accepted: Acceptances,
  rowOf: RowOfPlace,
  isKnown: IsKnown,
): EarlierFinding => {
  const { mergedInto, isUnconfirmed, outcome } = row;
  return {
    ...countedOf(row, beaconId, accepted, isKnown({ ...row, ownId: row.id })),
    id: mergedInto ?? row.id,
    isProved: row.isProved,
    unconfirmed: isUnconfirmed,
    // A fix at the place of a merged finding does not fix its main finding.
    confirmedFixed: mergedInto === null && outcome === 'fixed',
    ...(mergedInto !== null && outcome === 'fixed'
      ? { reason: ONLY_MERGED, undecided: null }
      : (testOf(rowOf(row.checkId, row.location, row.account)) ?? { reason: notRunReason(row), undecided: null })),
  };
};
