import type { VNode } from 'preact';
import { homeUrl, overviewUrl } from '../urls';

interface HomeTabsProps {
  readonly organizationId: number;
  readonly current: 'home' | 'overview';
}

export const HomeTabs = ({ organizationId, current }: HomeTabsProps): VNode => (
  <nav class="tabs" aria-label="Home">
    <a href={homeUrl(organizationId)} aria-current={current === 'home' ? 'page' : undefined}>
      Needs attention
    </a>
    <a href={overviewUrl(organizationId)} aria-current={current === 'overview' ? 'page' : undefined}>
      Overview
    </a>
  </nav>
);
