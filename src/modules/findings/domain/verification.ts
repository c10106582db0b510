/** Whether a check of this service has seen the weakness that a finding reports. It never changes the status of the finding. */
export const VERIFICATION_RESULTS = ['confirmed', 'refuted', 'inconclusive', 'untested'] as const;

export type VerificationResult = (typeof VERIFICATION_RESULTS)[number];

export interface FindingVerification {
  readonly result: VerificationResult;
  readonly reason: string;
}

export interface SavedVerification {
  readonly waits: boolean;
  /** When the deciding response arrived; by default now. */
  readonly at?: Date | null | undefined;
}

/** The reason for a finding without a stored one. */
export const NO_CHECK = 'No check is bound to the finding.';

/** The reason for an imported finding with a check, until a test is requested. */
export const NOT_REQUESTED = 'No test of its check was asked for: start a retest.';

export const WAITING = 'Its test waits for a worker.';
const NO_ASSET = 'Its asset is not among the assets of the organization: add the asset, and record the finding again.';
const SEEN_BY_JOB = 'A job saw the weakness.';

/**
 * The verdict of a replay. It sends the scanner's request without its session and looks for a text that someone else chose:
 * finding the text confirms what the scanner saw, but not finding it refutes nothing.
 */
export function verificationOfReplay(state: 'vulnerable' | 'not_vulnerable' | 'inconclusive', detail: string) {
  if (state === 'vulnerable') return { result: 'confirmed', reason: detail } as const;
  if (state === 'inconclusive') return { result: 'inconclusive', reason: detail } as const;
  return { result: 'inconclusive', reason: `The replay did not show it, which refutes nothing: ${detail}` } as const;
}

/**
 * The verification of a finding that a job, an import or a person records. Null if nothing is known and nothing will be tested.
 */
export function verificationWhenRecorded(
  { jobUuid, importId }: { readonly jobUuid: string | null; readonly importId: number | null },
  hasCheck: boolean,
  assetId: number | null,
): FindingVerification | null {
  if (jobUuid !== null) return { result: 'confirmed', reason: SEEN_BY_JOB };
  if (!hasCheck) return null;
  if (importId !== null) return { result: 'untested', reason: NOT_REQUESTED };
  return { result: 'untested', reason: assetId === null ? NO_ASSET : WAITING };
}
