import { experimentOf, type Sighting } from '../../engine';
import { isOpen } from '../findings';
import type { KnownFindingRow } from './data/job-findings.repository';
import { keyOf } from './domain/active-result';

/** An earlier batch of this job, or an earlier attempt, has recorded it. */
export const isOfThisJob = ({ outcome }: KnownFindingRow): boolean => outcome === 'seen';

/** Unless it was resolved since, and is seen once more: that reopens it, or contradicts. */
export const isRecordedBefore = ({ seenAt }: Sighting, known: KnownFindingRow): boolean =>
  isOfThisJob(known) &&
  (isOpen(known.status) || seenAt === undefined || (known.shownAt !== null && new Date(seenAt) <= known.shownAt));

export const isProvedBy = ({ baseline }: Sighting, known: KnownFindingRow): boolean =>
  experimentOf(baseline) !== null && experimentOf(known.baseline) === null;

export const mainOf = ({ id, mergedInto }: KnownFindingRow): number => mergedInto ?? id;

/** The key of the place of a known finding, as of a sighting or a row of coverage. */
export const placeOf = ({
  checkId: check,
  location,
  account,
}: Pick<KnownFindingRow, 'checkId' | 'location' | 'account'>): string => keyOf({ check, location, account });
