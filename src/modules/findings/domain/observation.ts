import { FINDING_STATUS, type FindingStatus, isOpen, statusAfterTest, statusWhenSeen } from './finding-status';
import type { VerificationResult } from './verification';

/** What is known of whether a weakness is there. */
export interface Knowledge {
  readonly status: FindingStatus;
  /** When it was last seen. */
  readonly seenAt: Date | null;
  /** When a test last showed that it is fixed. */
  readonly fixedAt: Date | null;
  /** When a person last said whether it is there. */
  readonly statedAt: Date | null;
}

/** What a scan, a test, a file or a person has seen of it. */
export interface Observation {
  /** Only a test of the finding shows `still_vulnerable` or `fixed`. */
  readonly kind: 'seen' | 'still_vulnerable' | 'fixed';
  /** When the deciding response arrived; null for now. */
  readonly at: Date | null;
  /** False if a file does not say when. Then it may be older than everything. */
  readonly isDated?: boolean;
}

export interface Decision {
  readonly status: FindingStatus;
  /** What is known since. Then the observation changes nothing but the sightings. */
  readonly outdatedBy: 'seen' | 'fixed' | 'stated' | null;
  /** It was seen, but is said to be fixed, and no test has shown since which of them is true. */
  readonly contradicts: boolean;
  /** Its SLA begins again. */
  readonly renewsTerm: boolean;
}

/** `seen` counts more than `fixed` at the same time, and a statement more than both. */
const isOutdated = (time: number, by: Date | null, orAtTheSameTime: boolean): boolean =>
  by !== null && (by.getTime() > time || (orAtTheSameTime && by.getTime() === time));

function outdatedBy({ kind, at, isDated = true }: Observation, known: Knowledge): Decision['outdatedBy'] {
  if (at === null) return null;
  const time = isDated ? at.getTime() : -Infinity;
  if (isOutdated(time, known.statedAt, true)) return 'stated';
  if (kind === 'fixed') return isOutdated(time, known.seenAt, true) ? 'seen' : null;
  if (isOutdated(time, known.fixedAt, false)) return 'fixed';
  // What was seen later has not reopened a finding that is resolved: it does not say when, or only verifies.
  return known.status !== FINDING_STATUS.resolved && isOutdated(time, known.seenAt, false) ? 'seen' : null;
}

const statusAfter = (kind: Observation['kind'], from: FindingStatus): FindingStatus =>
  kind === 'seen' ? statusWhenSeen(from) : (statusAfterTest(kind, from) ?? from);

/** What was only said to be fixed keeps its due date. What a test has proved to be fixed gets a new one when it returns. */
export const renewsTerm = ({ status, fixedAt, statedAt }: Knowledge, to: FindingStatus): boolean =>
  status === FINDING_STATUS.resolved &&
  to !== FINDING_STATUS.resolved &&
  fixedAt !== null &&
  (statedAt === null || fixedAt >= statedAt);

/**
 * What an observation changes. It counts from the moment of its response, so the order in which observations arrive does not
 * matter: one that is older than the newest verdict or statement changes nothing.
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

/** The last change of a finding to resolved, and whether a test made it. */
export interface Resolution {
  readonly at: Date;
  readonly isTested: boolean;
}

interface ObservedFinding extends Omit<Knowledge, 'seenAt'> {
  readonly lastSeen: Date;
  readonly verification: VerificationResult;
  readonly verifiedAt: Date | null;
}

/** Whether only the history knows why it is resolved: an earlier version has resolved it. */
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

/** Whether a person who changes the status says by this whether the weakness is there. */
export const isStatement = (from: FindingStatus, to: FindingStatus): boolean =>
  isOpen(from) !== isOpen(to) || to === FINDING_STATUS.ready_for_retest;
