import { createHash } from 'node:crypto';
import { invalid, unprocessable } from '../../../kernel/domain-error';
import type { HostingState } from './hosting';

/** Whether jobs may send experiments to the asset that try to inject; with `full` also in what changes it. */
export const ACTIVE_TESTS = ['off', 'read_only', 'full'] as const;

export type ActiveTests = (typeof ACTIVE_TESTS)[number];

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

/** What tests with `full` leave, for those who allow them. */
export const FULL_TESTS_SENTENCE =
  'Active tests with full also submit forms and writing operations of APIs with made-up values. What these create stays on the target: entries, messages, users and files that visitors may see, up to 2,000 submissions a job. A job lists them, and deletes only what it created at an address that the target named.';

/** No GET that is named as deleting, creating or resetting is ever sent. */
export function requireAllowablePath(
  path: string,
  word: { readonly word: string; readonly isLasting: boolean } | null,
): void {
  if (word?.isLasting === true)
    throw unprocessable(
      `allowed_paths cannot have ${path}: ${word.word} says that it deletes, creates or resets something, which no GET of a test may do.`,
    );
}

export interface StatedTests {
  readonly activeTests?: string;
  readonly requestsPerSecond?: number | null;
  /** The value of the asset once more, from an admin who has read what `full` leaves. */
  readonly confirmFull?: string;
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

/** `full` is confirmed when it is turned on, and not when other settings are saved with it. */
export function requireConfirmedFull(
  asset: { readonly value: string; readonly activeTests: ActiveTests },
  { activeTests, confirmFull }: StatedTests,
): void {
  if (activeTests !== 'full' || asset.activeTests === 'full' || confirmFull === asset.value) return;
  throw unprocessable(
    `active_tests cannot be full without confirm_full, which must repeat the value of the asset (${asset.value}). ${FULL_TESTS_SENTENCE}`,
  );
}

/** Throws an error that says what to do first. */
export function requireAllowedTests(
  { activeTests, requestsPerSecond }: StatedTests,
  host: string,
  hosting: HostingState | null,
): void {
  if (hosting?.isLimited !== true) return;
  const elsewhere = `${host} is hosted elsewhere, at ${hosting.target} (${hosting.by}). First confirm that the host is yours, or that its operator permits more.`;
  if (activeTests !== undefined && activeTests !== 'off')
    throw unprocessable(`active_tests cannot be ${activeTests}: ${elsewhere}`);
  if ((requestsPerSecond ?? 0) > MAX_REQUESTS_PER_SECOND_ELSEWHERE)
    throw unprocessable(`requests_per_second must be at most ${MAX_REQUESTS_PER_SECOND_ELSEWHERE}: ${elsewhere}`);
}
