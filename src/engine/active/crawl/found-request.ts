import type { Described } from '../../may-change';
import type { SentRequest } from '../../sent-request';

/** A request that a source of the crawl names. */
export interface FoundRequest {
  /** Without a fragment. */
  readonly url: URL;
  /** `link`, `form`, `sitemap`, `openapi` … */
  readonly source: string;
  /** The visible text; several labels are separated by line breaks. */
  readonly label?: string;
  /** The description in an API document. */
  readonly described?: Described;
  /** The parts of a request that is not a plain GET. */
  readonly sent?: Omit<SentRequest, 'path'>;
  /** Segments of the path that are values. */
  readonly segments?: readonly number[];
}
