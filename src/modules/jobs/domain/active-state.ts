import type { ActiveProgress } from '../../../engine';

/** How far an active job is, as it is stored. */
export interface ActiveState {
  /** An attempt has completed the crawl. */
  readonly isCrawled: boolean;
  /** What was found and tested at its end; null before. */
  readonly found: ActiveProgress | null;
  /** Why it has not tested all points; null if it has, and before its end. */
  readonly reason: string | null;
}
