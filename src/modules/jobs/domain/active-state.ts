import type { ActiveProgress } from '../../../engine';

/** How far an active job is, as it is stored from the end of its crawl on. */
export interface ActiveState {
  /** What was found and tested at the end of the job; null before. */
  readonly found: ActiveProgress | null;
  /** Why it has not tested all points, or its crawl has not found all of them; null if it has. */
  readonly reason: string | null;
  /** What would have stopped it, and will; absent in jobs of earlier versions. */
  readonly warning?: string | null;
  /** What the crawl has to say; earlier versions kept nothing. */
  readonly notes?: readonly string[];
  /** The crawls as accounts, by their ids. */
  readonly asAccounts?: Readonly<Record<number, ActiveState>>;
}
