import { severityNumber } from '../../../kernel/severity';
import type { Actor } from '../../../platform/api/caller';
import type { ScannedFinding, SeverityNumber } from '../data/finding.entity';
import type { SightingOutcome } from '../data/finding-sighting.entity';
import type { NewSighting } from './data/finding-sightings.repository';
import type { KnownFinding } from './data/scanned-findings.repository';
import { sourceOf } from '../domain/scan-identity';
import type { ScanResult, SightingResult } from '../domain/scan-result';
import type { RecordingTarget, SeenFinding } from './seen-finding';

/** A result, with the finding that counts for it if it exists. */
export interface PlannedResult<Seen extends SeenFinding = SeenFinding> extends SightingResult {
  readonly seen: Seen;
  readonly known: KnownFinding | undefined;
}

export interface WrittenResult {
  readonly seen: SeenFinding;
  readonly result: ScanResult;
  /** The finding that counts, in its current state. */
  readonly finding: ScannedFinding;
  /** The finding that has the fingerprint itself, even if it is merged into another. */
  readonly ownId: number;
  /** Whether this check replaced an earlier one with the same id. */
  readonly checkReplaced: boolean;
  readonly checkKept: boolean;
}

/** The severity that the job or the person stated, even if another one is pinned. */
const statedSeverity = ({ severity, edits }: ScannedFinding): SeverityNumber =>
  (edits?.pins.severity?.severity ?? severity) as SeverityNumber;

export const OUTCOMES: Readonly<Record<ScanResult, SightingOutcome>> = {
  new: 'created',
  seen_again: 'seen_again',
  reopened: 'reopened',
  unchanged: 'seen_again',
};

/**
 * The sighting of a job or a person has the severity that the finding states. Only imports can be undone, so only their sightings
 * store what they changed.
 */
export const sightingOf = (
  actor: Actor,
  { organizationId, eventId, importId, jobUuid }: RecordingTarget,
  { seen, result, finding, ownId }: WrittenResult,
  { historyId, before }: Pick<NewSighting, 'historyId' | 'before'>,
): NewSighting => ({
  organizationId,
  findingId: ownId,
  eventId,
  importId,
  jobUuid,
  scanner: seen.scanner,
  ruleId: seen.ruleId,
  source: sourceOf(seen.scanner, seen.ruleId),
  seenAt: seen.seenAt,
  outcome: OUTCOMES[result],
  historyId: importId === null ? null : historyId,
  before: importId === null ? null : before,
  line: seen.line ?? null,
  title: seen.title,
  severity: importId === null ? statedSeverity(finding) : (severityNumber(seen.severity) as SeverityNumber),
  location: seen.location,
  place: seen.place ?? null,
  parameter: seen.parameter ?? null,
  evidence: seen.evidence ?? null,
  replay: seen.replay ?? null,
  template: seen.template ?? null,
  actorType: actor.type,
  actorId: actor.id,
});

/**
 * Whether the result supports the finding: a scanner shows it with a request and a response, or a person records it in an event.
 */
export const isSupported = ({ importId, jobUuid, eventId }: RecordingTarget, { seen }: PlannedResult): boolean =>
  seen.replay != null || (importId === null && jobUuid === null && eventId !== null);

/** The newest time; null for now. */
export const latestOf = (results: readonly PlannedResult[]): Date | null => {
  const times = results.flatMap(({ seen }) => seen.seenAt?.getTime() ?? []);
  return times.length === 0 ? null : new Date(Math.max(...times));
};
