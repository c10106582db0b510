import type { Described } from '../../may-change';
import type { SentRequest } from '../../sent-request';

/** A request that a source of the crawl names. */
export interface FoundRequest {
  /** Without a fragment. */
  readonly url: URL;
  /** `link`, `form`, `sitemap`, `openapi` … */
  readonly source: string;
  /** What a person reads on it; several labels are separated by line breaks. */
  readonly label?: string;
  /** What the document of an API says of it. */
  readonly described?: Described;
  /** The rest of a request that is no plain GET. */
  readonly sent?: Omit<SentRequest, 'path'>;
  /** Segments of the path that are values. */
  readonly segments?: readonly number[];
}
