import { FINDING_STATUS } from './finding-status';
import { type Decision, decideObservation, type Knowledge } from './observation';

export const SCAN_RESULTS = ['new', 'seen_again', 'reopened', 'unchanged'] as const;

export type ScanResult = (typeof SCAN_RESULTS)[number];

/** The state of a finding that decides about its next sighting. */
export interface ScannedState extends Knowledge {
  /** The keys of its previous sightings. */
  readonly sightings: ReadonlySet<string>;
}

/** Identifies a sighting: a scanner and its rule see a finding once at a time. */
export interface SightingKey {
  readonly source: Buffer;
  readonly seenAt: Date;
}

export interface NewSighting extends SightingKey {
  /** False if the file does not say when. */
  readonly isDated: boolean;
}

/** The result of a sighting, and its other effects on the finding. */
export interface SightingResult extends Omit<Decision, 'status'> {
  readonly result: ScanResult;
}

const FIRST = { outdatedBy: null, contradicts: false, renewsTerm: false } as const;

export const keyOfSighting = ({ source, seenAt }: SightingKey): string =>
  `${source.toString('base64')} ${seenAt.getTime()}`;

/** The result for a known finding; undefined for a new one. `at` is null for now. */
export function resultWhenSeen(
  known: Knowledge | undefined,
  sighting: { readonly at: Date | null; readonly isDated?: boolean },
): SightingResult {
  if (known === undefined) return { result: 'new', ...FIRST };
  const { status, ...decision } = decideObservation(known, { kind: 'seen', ...sighting });
  return { result: status === known.status ? 'seen_again' : 'reopened', ...decision };
}

/** The result of a sighting, and the state after it. A sighting that is already known changes nothing. */
export function applySighting(
  state: ScannedState | undefined,
  { isDated, ...sighting }: NewSighting,
): SightingResult & { readonly state: ScannedState } {
  const key = keyOfSighting(sighting);
  const { seenAt: at } = sighting;
  if (state?.sightings.has(key) === true) return { result: 'unchanged', ...FIRST, state };
  const seen = resultWhenSeen(state, { at, isDated });
  const sightings = new Set([...(state?.sightings ?? []), key]);
  const known = state ?? { fixedAt: null, statedAt: null };
  const status = state === undefined || seen.result === 'reopened' ? FINDING_STATUS.open : state.status;
  const seenAt = state?.seenAt != null && state.seenAt > at ? state.seenAt : at;
  return { ...seen, state: { ...known, status, seenAt, sightings } };
}
