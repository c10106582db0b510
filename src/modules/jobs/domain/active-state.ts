import type { ActiveProgress } from '../../../engine';

/** How far an active job is, as it is stored from the end of its crawl on. */
export interface ActiveState {
  /** What was found and tested at the end of the job; null before. */
  readonly found: ActiveProgress | null;
  /** Why it has not tested all points, or its crawl has not found all of them; null if it has. */
  readonly reason: string | null;
  /** What would have stopped the job and will stop later ones; absent in jobs of earlier versions. */
  readonly warning?: string | null;
  /** What the crawl noticed; earlier versions kept nothing. */
  readonly notes?: readonly string[];
  /** The crawls with accounts, by the ids of the accounts. */
  readonly asAccounts?: Readonly<Record<number, ActiveState>>;
}
