import { FINDING_STATUS, type FindingStatus, statusWhenSeen } from './finding-status';

export const SCAN_RESULTS = ['new', 'seen_again', 'reopened', 'unchanged'] as const;

export type ScanResult = (typeof SCAN_RESULTS)[number];

/** Of a finding with this status that is seen now; undefined for a new one. */
export function resultWhenSeen(status: FindingStatus | undefined): ScanResult {
  if (status === undefined) return 'new';
  return statusWhenSeen(status) === status ? 'seen_again' : 'reopened';
}

/** What decides about the next sighting of a finding. */
export interface ScannedState {
  readonly status: FindingStatus;
  /** When it was resolved; null if it is not. */
  readonly resolvedAt: Date | null;
  /** The keys of its sightings. */
  readonly sightings: ReadonlySet<string>;
}

/** A scanner with its rule sees a finding once at a time. */
export interface SightingKey {
  readonly source: Buffer;
  readonly seenAt: Date;
}

export const keyOfSighting = ({ source, seenAt }: SightingKey): string =>
  `${source.toString('base64')} ${seenAt.getTime()}`;

/**
 * The result of a sighting, and the state after it. The same sighting again changes nothing. A resolved finding is reopened
 * by a sighting that is newer than its resolution; an older one, from a file that was imported late, shows nothing new.
 */
export function applySighting(
  state: ScannedState | undefined,
  sighting: SightingKey,
): { readonly result: ScanResult; readonly state: ScannedState } {
  const key = keyOfSighting(sighting);
  if (state === undefined) {
    return { result: 'new', state: { status: FINDING_STATUS.open, resolvedAt: null, sightings: new Set([key]) } };
  }
  if (state.sightings.has(key)) return { result: 'unchanged', state };
  const sightings = new Set([...state.sightings, key]);
  const isNewer = state.resolvedAt === null || sighting.seenAt > state.resolvedAt;
  const result = isNewer ? resultWhenSeen(state.status) : 'seen_again';
  if (result === 'seen_again') return { result, state: { ...state, sightings } };
  return { result, state: { status: statusWhenSeen(state.status), resolvedAt: null, sightings } };
}
