import type { VNode } from 'preact';
import type { Page, Slice } from '../../kernel/page';
import { pagePaths } from '../../platform/http/paged-body';

interface PagerProps {
  readonly page: Page;
  readonly slice: Omit<Slice<unknown>, 'items'>;
  /** Of the shown page, with its filters. */
  readonly url: string;
}

/** Links to the pages before and after this one; nothing for a list of one page. */
export function Pager({ page, slice, url }: PagerProps): VNode | null {
  const { next, prev } = pagePaths({ page, slice }, url);
  if (next === undefined && prev === undefined) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {prev !== undefined && (
        <a rel="prev" href={prev}>
          Previous page
        </a>
      )}
      {next !== undefined && (
        <a rel="next" href={next}>
          Next page
        </a>
      )}
    </nav>
  );
}
