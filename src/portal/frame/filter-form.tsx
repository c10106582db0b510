import type { ComponentChildren, VNode } from 'preact';

interface FilterFormProps {
  readonly action: string;
  /** The part of the page that the answer replaces. */
  readonly target: string;
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** The filters of a list. Each applies at once; without scripts a button sends them. */
export const FilterForm = ({ action, target, label, children }: FilterFormProps): VNode => (
  <form
    class="filters"
    action={action}
    role="search"
    aria-label={label}
    hx-get={action}
    hx-trigger="change"
    hx-target={target}
    hx-select={target}
    hx-swap="outerMorph"
    hx-push-url="true"
  >
    {children}
    <noscript>
      <button>Filter</button>
    </noscript>
  </form>
);
