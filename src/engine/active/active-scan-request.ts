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

/** What decides that a request is not sent. */
export const LEFT_OUT_BY = ['word', 'description', 'observed', 'forbidden', 'method', 'scope', 'similar'] as const;

export interface LeftOut {
  readonly by: (typeof LEFT_OUT_BY)[number];
  /** The word, the method, what was observed, or a reason. */
  readonly reason: string;
  readonly method: string;
  /** Whether an admin may allow it. */
  readonly isAllowable: boolean;
  /** Of similar ones, how many. */
  readonly count: number;
}

/** What an admin has decided about paths with queries. */
export interface StatedPaths {
  readonly allowed: readonly string[];
  readonly forbidden: readonly string[];
}

/** A page that the crawl has requested, or one that is known from elsewhere. */
export interface CrawledPage {
  readonly shape: string;
  /** Path and query. */
  readonly path: string;
  /** Null for a request that was given or described, and not sent. */
  readonly status: number | null;
  /** Where it was found: `link`, `form`, `sitemap`, `openapi` … */
  readonly source: string;
  /** Null for one that may be requested. */
  readonly leftOut?: LeftOut | null;
}

export interface KnownPoint {
  readonly key: string;
  readonly kind: PointKind;
  /** By any job. */
  readonly testedAt: Date | null;
  readonly isTestedByThisJob: boolean;
}

/** Where an active scan keeps what it finds, so that a lost worker and the next job continue. */
export interface ActiveInventory {
  load(): Promise<{
    readonly pages: readonly CrawledPage[];
    /** An earlier attempt of this job has completed the crawl. */
    readonly isCrawled: boolean;
  }>;
  listPoints(): Promise<readonly KnownPoint[]>;
  /** Those that still exist. All of them together may be too large for the memory. */
  readPoints(keys: readonly string[]): Promise<ReadonlyMap<string, InsertionPoint>>;
  addPages(pages: readonly CrawledPage[]): Promise<void>;
  /** By `pointKey`. A known point keeps its request, so that the location of its findings stays. */
  addPoints(points: readonly InsertionPoint[]): Promise<void>;
  /** With what the crawl has to say, and why it has not read all pages, or null. */
  endCrawl(notes: readonly string[], unread: string | null): Promise<void>;
  finishPoint(key: string, results: readonly CheckResult[]): Promise<void>;
}

export interface ActiveProgress {
  readonly pages: number;
  readonly shapes: number;
  readonly points: number;
  readonly tested: number;
  /** Addresses that were not requested; earlier versions did not count them. */
  readonly leftOut?: number;
}

export interface ActiveScanRequest {
  readonly target: WebTarget;
  /** Those that test one point. */
  readonly checks: readonly Check[];
  readonly transport: Transport;
  readonly via: Via;
  readonly otherWww: FindOtherWww;
  readonly policy?: ProbePolicy;
  readonly previousFindings?: readonly PreviousFinding[];
  readonly isInScope?: (place: Target) => boolean;
  /** What admins have decided about this place. */
  readonly stated?: (place: Target) => StatedPaths;
  /** From lists of URLs and HAR files. */
  readonly seeds: readonly SentRequest[];
  /** Of imported findings: they come last. */
  readonly imported?: readonly SentRequest[];
  readonly inventory: ActiveInventory;
  /** Of this attempt: what earlier ones have left. */
  readonly limits: { readonly ms: number; readonly requests: number; readonly pages?: number };
  readonly interruption?: Interruption;
  /** Why nothing more may be sent, or null. Is asked every few seconds: the rules may change while it runs. */
  readonly refusal?: () => Promise<string | null>;
}

export interface ActiveScan extends ActiveProgress {
  /**
   * `stopped`: the target became slow or failed. A scan whose limits are used up is `complete`: the next job goes on. `unproved`:
   * the session of the account could not be proved, so that the job is an error whatever it has found.
   */
  readonly end: 'complete' | 'interrupted' | 'aborted' | 'stopped' | 'unproved';
  /** Why not all points were tested; null if all were. */
  readonly reason: string | null;
}
