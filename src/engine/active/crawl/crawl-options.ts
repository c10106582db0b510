import type { ProbeRequest } from '../../probe';
import type { Page } from '../../page';
import type { SentRequest } from '../../sent-request';
import type { WebTarget } from '../../target';
import type { ActiveInventory, CrawledPage } from '../active-scan-request';
import type { InsertionPoint } from '../../experiment-record';
import type { FoundRequest } from './found-request';
import type { Frontier } from './frontier';

/** Submits what the crawl finds. */
interface FormTaker {
  /** Whether it decides about the request. */
  takes(found: FoundRequest): boolean;
  offer(request: SentRequest, page: Page): Promise<void>;
}

export interface CrawlOptions {
  readonly target: WebTarget;
  readonly frontier: Frontier;
  readonly inventory: ActiveInventory;
  readonly ask: (request: ProbeRequest) => Promise<Page>;
  /** Null if the responses do not count, because the session of the account was not proved after them. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<{ readonly value: T } | null>;
  /** Called with a request that ends the session. */
  readonly leaveOut: (request: SentRequest) => void;
  /** Whether the crawl's share of the budget is used up. */
  readonly isOver: () => boolean;
  /** Sends other requests before the next pages. Returns whether it sent any. */
  readonly afterStep?: () => Promise<boolean>;
  /** Takes forms and writing operations, where they may be submitted. */
  readonly forms?: FormTaker | undefined;
  readonly onFound: (pages: readonly CrawledPage[], points: readonly InsertionPoint[]) => void;
}
