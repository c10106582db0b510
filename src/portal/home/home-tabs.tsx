import type { VNode } from 'preact';

interface HomeTabsProps {
  readonly organizationId: number;
  readonly current: 'home' | 'overview';
}

export const HomeTabs = ({ organizationId, current }: HomeTabsProps): VNode => (
  <nav class="tabs" aria-label="Home">
    <a href={`/o/${organizationId}`} aria-current={current === 'home' ? 'page' : undefined}>
      What needs you
    </a>
    <a href={`/o/${organizationId}/overview`} aria-current={current === 'overview' ? 'page' : undefined}>
      Overview
    </a>
  </nav>
);
