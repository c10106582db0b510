import type { VNode } from 'preact';

/** Above a list that is filtered by a link of another page: what it shows, with a link to the whole list. */
export const Only = ({ what, all }: { what: string | undefined; all: string }): VNode | null =>
  what === undefined ? null : (
    <p>
      <a class="chip" href={all}>
        {what} <span aria-hidden="true">×</span>
        <span class="visually-hidden">, remove this filter</span>
      </a>
    </p>
  );
