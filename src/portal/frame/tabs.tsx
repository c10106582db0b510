import type { VNode } from 'preact';

interface Tab {
  readonly label: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

/** Pages of one place, next to each other. */
export const Tabs = ({ name, tabs }: { readonly name: string; readonly tabs: readonly Tab[] }): VNode => (
  <nav class="tabs all" aria-label={name}>
    {tabs.map(({ label, href, isCurrent }) => (
      <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
        {label}
      </a>
    ))}
  </nav>
);
