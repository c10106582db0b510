import type { VNode } from 'preact';

/** The sections of the sidebar. */
export type Section = 'findings' | 'settings';

/** What a handler returns to show a page. */
export class Page {
  constructor(
    readonly title: string,
    readonly body: VNode,
    readonly section?: Section,
  ) {}
}
