import { createHash } from 'node:crypto';
import { invalid, unprocessable } from '../../../kernel/domain-error';
import type { HostingState } from './hosting';

/** Whether jobs may send experiments to the asset that try to inject. */
export const ACTIVE_TESTS = ['off', 'read_only'] as const;

export type ActiveTests = (typeof ACTIVE_TESTS)[number];

/** A later part, which requests may name so that they learn it. */
export const FULL_TESTS = 'full';

export const MAX_REQUESTS_PER_SECOND = 50;

/** To a host that someone else runs, until an admin confirms more. */
export const MAX_REQUESTS_PER_SECOND_ELSEWHERE = 10;

/** Of an asset, that are allowed, and that are forbidden. */
export const MAX_PATHS = 200;
export const MAX_PATH_LENGTH = 1_500;

export function requirePaths(paths: readonly string[]): void {
  const other = paths.find((path) => !/^\/[^\s#]*$/.test(path));
  if (other !== undefined) throw invalid(`Each entry must be a path that begins with /, and ${other} is none.`);
}

/** What is named as deleting, creating or resetting waits for another kind of consent. */
export function requireAllowablePath(
  path: string,
  word: { readonly word: string; readonly isLasting: boolean } | null,
): void {
  if (word?.isLasting === true)
    throw unprocessable(
      `allowed_paths cannot have ${path}: ${word.word} says that it deletes, creates or resets something, which read_only never does, and active_tests full is not available yet.`,
    );
}

export interface StatedTests {
  readonly activeTests?: string;
  readonly requestsPerSecond?: number | null;
}

/** What each address of a host serves, so that active tests may be sent to it. */
export interface ProofFile {
  readonly path: string;
  /** In no part of any request. */
  readonly body: string;
  /** Until when jobs run without it; null if they need it at once. */
  readonly due: Date | null;
}

interface Consent {
  readonly id: number;
  readonly beaconId: number | null;
  readonly activeTests: ActiveTests;
  readonly proofSecret: string;
  readonly proofDue: Date | null;
}

/** Null where active tests are off, or go through a beacon. */
export function proofFileOf({ id, beaconId, activeTests, proofSecret, proofDue }: Consent): ProofFile | null {
  if (activeTests === 'off' || beaconId !== null) return null;
  const body = createHash('sha256').update(`${proofSecret} ${id}`).digest('hex');
  return { path: `/.well-known/assay-${id}.txt`, body, due: proofDue };
}

/** A consent that was withdrawn and given again needs the file at once. */
export const proofDueAfter = ({ activeTests, proofDue }: Consent, stated: ActiveTests): Date | null =>
  stated === activeTests ? proofDue : null;

/** Throws an error that says what to do first. */
export function requireAllowedTests(
  { activeTests, requestsPerSecond }: StatedTests,
  host: string,
  hosting: HostingState | null,
): void {
  if (activeTests === FULL_TESTS)
    throw unprocessable(
      'active_tests full would also send what changes the target, and is not available yet: allow read_only.',
    );
  if (hosting?.isLimited !== true) return;
  const elsewhere = `${host} is hosted elsewhere, at ${hosting.target} (${hosting.by}). First confirm that the host is yours, or that its operator permits more.`;
  if (activeTests === 'read_only') throw unprocessable(`active_tests cannot be read_only: ${elsewhere}`);
  if ((requestsPerSecond ?? 0) > MAX_REQUESTS_PER_SECOND_ELSEWHERE)
    throw unprocessable(`requests_per_second must be at most ${MAX_REQUESTS_PER_SECOND_ELSEWHERE}: ${elsewhere}`);
}
