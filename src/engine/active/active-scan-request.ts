import type { SentRequest } from '../sent-request';
import type { Check } from '../check';
import type { CheckResult } from '../check-result';
import type { Interruption } from '../interruption';
import type { PreviousFinding } from '../scan-request';
import type { PointKind, Target, WebTarget } from '../target';
import type { Transport, Via } from '../transport/transport';
import type { ProbePolicy } from '../verdict';
import type { FindOtherWww } from '../www-host';
import type { InsertionPoint } from '../experiment-record';

/** Why a request is not sent. */
export const LEFT_OUT_BY = [
  'word',
  'description',
  'observed',
  'forbidden',
  'method',
  'scope',
  'similar',
  'form',
] as const;

export interface LeftOut {
  readonly by: (typeof LEFT_OUT_BY)[number];
  /** The word, the method, what was observed, or another reason. */
  readonly reason: string;
  readonly method: string;
  /** Whether an admin may allow it. */
  readonly isAllowable: boolean;
  /** The number of similar requests that this entry stands for. */
  readonly count: number;
}

/** An admin's decisions about paths with their queries. */
export interface StatedPaths {
  readonly allowed: readonly string[];
  readonly forbidden: readonly string[];
}

/** A page that the crawl has requested, or one that is known from elsewhere. */
export interface CrawledPage {
  readonly shape: string;
  /** Path and query. */
  readonly path: string;
  /** Null for a request that was given or described but not sent. */
  readonly status: number | null;
  /** Where it was found: `link`, `form`, `sitemap`, `openapi` … */
  readonly source: string;
  /** Null if the page may be requested. */
  readonly leftOut?: LeftOut | null;
}

export interface KnownPoint {
  readonly key: string;
  readonly kind: PointKind;
  /** The last test by any job. */
  readonly testedAt: Date | null;
  readonly isTestedByThisJob: boolean;
}

/** Stores what an active scan finds, so that the scan can continue after a lost worker, and in the next job. */
export interface ActiveInventory {
  load(): Promise<{
    readonly pages: readonly CrawledPage[];
    /** Whether an earlier attempt of this job completed the crawl. */
    readonly isCrawled: boolean;
  }>;
  listPoints(): Promise<readonly KnownPoint[]>;
  /** Leaves out points that no longer exist. Read them in batches: all of them may be too large for the memory. */
  readPoints(keys: readonly string[]): Promise<ReadonlyMap<string, InsertionPoint>>;
  addPages(pages: readonly CrawledPage[]): Promise<void>;
  /** Identified by `pointKey`. A known point keeps its request, so that the location of its findings stays the same. */
  addPoints(points: readonly InsertionPoint[]): Promise<void>;
  /** `unread` is why the crawl did not read all pages, or null. */
  endCrawl(notes: readonly string[], unread: string | null): Promise<void>;
  finishPoint(key: string, results: readonly CheckResult[]): Promise<void>;
}

export interface ActiveProgress {
  readonly pages: number;
  readonly shapes: number;
  readonly points: number;
  readonly tested: number;
  /** The number of addresses that were not requested; earlier versions did not count them. */
  readonly leftOut?: number;
}

export interface ActiveScanRequest {
  readonly target: WebTarget;
  /** The checks that test one point. */
  readonly checks: readonly Check[];
  readonly transport: Transport;
  readonly via: Via;
  readonly otherWww: FindOtherWww;
  readonly policy?: ProbePolicy;
  readonly previousFindings?: readonly PreviousFinding[];
  readonly isInScope?: (place: Target) => boolean;
  /** The decisions of admins about this place. */
  readonly stated?: (place: Target) => StatedPaths;
  /** Requests from lists of URLs and HAR files. */
  readonly seeds: readonly SentRequest[];
  /** Requests from imported findings. They are sent last. */
  readonly imported?: readonly SentRequest[];
  readonly inventory: ActiveInventory;
  /** What earlier attempts have left for this attempt. */
  readonly limits: { readonly ms: number; readonly requests: number; readonly pages?: number };
  readonly interruption?: Interruption;
  /** Why nothing more may be sent, or null. Called every few seconds, because the rules may change while the scan runs. */
  readonly refusal?: () => Promise<string | null>;
}

export interface ActiveScan extends ActiveProgress {
  /**
   * `complete`: all points were tested, or the limits are used up and the next job continues. `stopped`: the target became slow
   * or failed. `unproved`: the session of the account could not be proved, so the job is an error whatever it found.
   */
  readonly end: 'complete' | 'interrupted' | 'aborted' | 'stopped' | 'unproved';
  /** Why not all points were tested; null if all were. */
  readonly reason: string | null;
}
