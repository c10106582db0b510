import { FINDING_STATUS, type FindingStatus, isOpen, statusAfterTest, statusWhenSeen } from './finding-status';
import type { VerificationResult } from './verification';

/** What is known about whether a weakness exists. */
export interface Knowledge {
  readonly status: FindingStatus;
  /** When it was last seen. */
  readonly seenAt: Date | null;
  /** When a test last showed that it is fixed. */
  readonly fixedAt: Date | null;
  /** When a person last stated whether it exists. */
  readonly statedAt: Date | null;
}

/** What a scan, a test, a file or a person observed about a finding. */
export interface Observation {
  /** Only a test of the finding shows `still_vulnerable` or `fixed`. */
  readonly kind: 'seen' | 'still_vulnerable' | 'fixed';
  /** When the deciding response arrived; null for now. */
  readonly at: Date | null;
  /** False if a file does not say when: it may be older than anything known. */
  readonly isDated?: boolean;
}

export interface Decision {
  readonly status: FindingStatus;
  /** Newer knowledge than the observation. If set, only the sightings change. */
  readonly outdatedBy: 'seen' | 'fixed' | 'stated' | null;
  /** Whether it was seen although the finding is resolved, and no test has decided since then. */
  readonly contradicts: boolean;
  /** Whether its SLA starts again. */
  readonly renewsTerm: boolean;
}

/** At the same time, `seen` outweighs `fixed`, and a statement outweighs both. */
const isOutdated = (time: number, by: Date | null, orAtTheSameTime: boolean): boolean =>
  by !== null && (by.getTime() > time || (orAtTheSameTime && by.getTime() === time));

function outdatedBy({ kind, at, isDated = true }: Observation, known: Knowledge): Decision['outdatedBy'] {
  if (at === null) return null;
  const time = isDated ? at.getTime() : -Infinity;
  if (isOutdated(time, known.statedAt, true)) return 'stated';
  if (kind === 'fixed') return isOutdated(time, known.seenAt, true) ? 'seen' : null;
  if (isOutdated(time, known.fixedAt, false)) return 'fixed';
  // A later sighting did not reopen the finding, because it has no time or only verifies.
  return known.status !== FINDING_STATUS.resolved && isOutdated(time, known.seenAt, false) ? 'seen' : null;
}

const statusAfter = (kind: Observation['kind'], from: FindingStatus): FindingStatus =>
  kind === 'seen' ? statusWhenSeen(from) : (statusAfterTest(kind, from) ?? from);

/**
 * A finding that was only stated to be fixed keeps its due date. One with a proved fix gets a new due date when it is seen again.
 */
export const renewsTerm = ({ status, fixedAt, statedAt }: Knowledge, to: FindingStatus): boolean =>
  status === FINDING_STATUS.resolved &&
  to !== FINDING_STATUS.resolved &&
  fixedAt !== null &&
  (statedAt === null || fixedAt >= statedAt);

/**
 * The changes that an observation makes. It counts from the time of its response, so the order in which observations arrive does
 * not matter: one that is older than the newest verdict or statement changes nothing.
 */
export function decideObservation(known: Knowledge, observation: Observation): Decision {
  const { status: from } = known;
  const { kind, at, isDated = true } = observation;
  const by = outdatedBy(observation, known);
  const status = by === null && isDated ? statusAfter(kind, from) : from;
  const isAnswered = isDated && at !== null && isOutdated(at.getTime(), known.fixedAt, false);
  return {
    status,
    outdatedBy: by,
    contradicts: kind !== 'fixed' && status === FINDING_STATUS.resolved && !isAnswered,
    renewsTerm: renewsTerm(known, status),
  };
}

/** The last time a finding was resolved, and whether a test did it. */
export interface Resolution {
  readonly at: Date;
  readonly isTested: boolean;
}

interface ObservedFinding extends Omit<Knowledge, 'seenAt'> {
  readonly lastSeen: Date;
  readonly verification: VerificationResult;
  readonly verifiedAt: Date | null;
}

/** Whether an earlier version resolved it, so that only the history says why. */
export const needsResolution = ({ status, fixedAt, statedAt }: Omit<Knowledge, 'seenAt'>): boolean =>
  status === FINDING_STATUS.resolved && fixedAt === null && statedAt === null;

export function knowledgeOf(finding: ObservedFinding, resolution?: Resolution): Knowledge {
  const { status, fixedAt, statedAt, lastSeen, verification, verifiedAt } = finding;
  const testedAt = verification === 'confirmed' ? verifiedAt : null;
  return {
    status,
    seenAt: testedAt !== null && testedAt > lastSeen ? testedAt : lastSeen,
    fixedAt: fixedAt ?? (resolution?.isTested === true ? resolution.at : null),
    statedAt: statedAt ?? (resolution?.isTested === false ? resolution.at : null),
  };
}

/** Whether a person's change of status also states whether the weakness exists. */
export const isStatement = (from: FindingStatus, to: FindingStatus): boolean =>
  isOpen(from) !== isOpen(to) || to === FINDING_STATUS.ready_for_retest;
