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

/** What a finding without a stored reason has. */
export const NO_CHECK = 'No check is bound to the finding.';

/** Of an imported finding with a check until a test is asked for. */
export const NOT_REQUESTED = 'No test of its check was asked for: start a retest.';

export const WAITING = 'Its test waits for a worker.';
const NO_ASSET = 'Its asset is not among the assets of the organization: add the asset, and record the finding again.';
const SEEN_BY_JOB = 'A job saw the weakness.';

/**
 * What a replay may say. It sends what the scanner sent, without its session, and the text that it looks for was chosen by
 * someone else: that the text is there confirms what the scanner saw, and that it is missing says nothing.
 */
export function verificationOfReplay(state: 'vulnerable' | 'not_vulnerable' | 'inconclusive', detail: string) {
  if (state === 'vulnerable') return { result: 'confirmed', reason: detail } as const;
  if (state === 'inconclusive') return { result: 'inconclusive', reason: detail } as const;
  return { result: 'inconclusive', reason: `The replay did not show it, which refutes nothing: ${detail}` } as const;
}

/** Of a finding that a job, an import or else a person records. Null if nothing is known, and nothing will be tested. */
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
