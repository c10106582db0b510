import { conflict, forbidden, notFound, unprocessable } from '../../../kernel/domain-error';
import { orThrow } from '../../../kernel/or-throw';
import { SEVERITIES } from '../../../kernel/severity';
import { FINDING_STATUS, FINDING_STATUS_LABELS, type FindingStatus, isDismissed, isOpen } from './finding-status';
import type { VerificationResult } from './verification';
import { countedSeverity, type FindingEdits } from './pins';

/** Per main finding. Each read of its sightings looks at all its parts. */
export const MAX_PARTS = 1_000;

/** The fields that decide whether findings can be merged. */
export interface MergedFinding {
  readonly id: number;
  readonly mergedInto: number | null;
  readonly status: FindingStatus;
  readonly severity: number;
  readonly score: string | null;
  readonly cvssVector: string | null;
  readonly edits: FindingEdits | null;
  readonly verification: VerificationResult;
}

const MERGED = 'is merged into finding';

/** A merged finding is read-only: changes are made to its main finding. */
export function requireNotMerged({ id, mergedInto }: Pick<MergedFinding, 'id' | 'mergedInto'>): void {
  if (mergedInto === null) return;
  throw conflict(
    `Finding ${id} ${MERGED} ${mergedInto}: use finding ${mergedInto} instead, or separate finding ${id}.`,
  );
}

/**
 * Whether a finding with the status `part` may be merged into one with the status `main`. An open finding needs an open main
 * finding, and one that would be reopened when it is seen again needs a main finding that would be reopened as well. Otherwise a
 * merge would hide a weakness.
 */
export const mayBePartOf = (part: FindingStatus, main: FindingStatus): boolean =>
  isOpen(main) || (!isOpen(part) && (!isDismissed(main) || isDismissed(part)));

/**
 * Throws unless all of these findings can be merged into the main one. Only an admin may merge a finding into a less severe one.
 */
export function requireMergeable(
  main: MergedFinding,
  parts: ReadonlyMap<number, MergedFinding>,
  ids: readonly number[],
  isAdmin: boolean,
): void {
  requireNotMerged(main);
  for (const [index, id] of ids.entries()) {
    if (id === main.id) throw unprocessable(`finding_ids: finding ${id} cannot be merged into itself.`);
    requireMergeableOne(
      main,
      orThrow(parts.get(id), () => partNotFound(index)),
      isAdmin,
    );
  }
}

/** Throws unless all of these findings are merged into the main one. */
export function requireSeparable(
  main: Pick<MergedFinding, 'id'>,
  parts: ReadonlyMap<number, MergedFinding>,
  ids: readonly number[],
): void {
  for (const [index, id] of ids.entries()) {
    const { mergedInto } = orThrow(parts.get(id), () => partNotFound(index));
    if (mergedInto !== main.id) throw conflict(`Finding ${id} is not merged into finding ${main.id}.`);
  }
}

/**
 * Which of two findings of one weakness becomes the main finding of an automatic merge, so that nothing is hidden. Null if people
 * must decide.
 */
export function mainOfAlike<F extends MergedFinding>(one: F, other: F): F | null {
  if (isDismissed(one.status) || isDismissed(other.status)) return null;
  const [main = one, part = other] = [one, other].toSorted(
    (first, second) =>
      Number(isOpen(second.status)) - Number(isOpen(first.status)) ||
      countedSeverity(second).severity - countedSeverity(first).severity ||
      first.id - second.id,
  );
  return countedSeverity(part).severity > countedSeverity(main).severity ? null : main;
}

function requireMergeableOne(main: MergedFinding, part: MergedFinding, isAdmin: boolean): void {
  const { id } = part;
  if (part.mergedInto !== null) {
    throw conflict(`Finding ${id} ${MERGED} ${part.mergedInto} already: separate it first.`);
  }
  if (!mayBePartOf(part.status, main.status)) {
    throw conflict(
      `Finding ${id} has the status ${labelOf(part.status)} and finding ${main.id} the status ${labelOf(main.status)}, so the merge would hide finding ${id}: reopen finding ${main.id} first.`,
    );
  }
  if (part.verification === 'confirmed' && main.verification !== 'confirmed') {
    throw conflict(
      `Finding ${id} is proved and finding ${main.id} is not, so the merge would hide the proof: merge finding ${main.id} into finding ${id} instead.`,
    );
  }
  const [severity, ofMain] = [countedSeverity(part).severity, countedSeverity(main).severity];
  if (severity > ofMain && !isAdmin) {
    throw forbidden(
      `Finding ${id} (${SEVERITIES[severity]}) is more severe than finding ${main.id} (${SEVERITIES[ofMain]}). Only an admin may merge it: merge finding ${main.id} into finding ${id} instead.`,
    );
  }
}

const labelOf = (status: FindingStatus): string =>
  FINDING_STATUS_LABELS[status - FINDING_STATUS.open] ?? String(status);

export const tooManyParts = (id: number, count: number) =>
  conflict(`Finding ${id} would have ${count} merged findings, and ${MAX_PARTS} is the limit.`);

/**
 * The error is the same for a finding of another organization and one that does not exist, so it names the position and not the
 * id.
 */
const partNotFound = (index: number) => notFound(`finding_ids: the finding at position ${index + 1} was`);
