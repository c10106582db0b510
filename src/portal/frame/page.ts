import type { VNode } from 'preact';

/** The sections of the sidebar. */
export type Section =
  | 'home'
  | 'findings'
  | 'assets'
  | 'scans'
  | 'imports'
  | 'events'
  | 'domains'
  | 'beacons'
  | 'reports'
  | 'schedules'
  | 'activity'
  | 'audit'
  | 'settings';

interface PageOptions {
  /** If the tab needs another title than the page, such as one with a count. */
  readonly tabTitle?: string;
  /** Buttons beside the title, in a `div`, or a `Sheet`. */
  readonly actions?: VNode;
  /** Browsers without scripts load the page again after this time. Scripts poll its live part instead. */
  readonly reloadSeconds?: number;
}

/** What a handler returns to show a page. */
export class Page {
  constructor(
    readonly title: string,
    readonly body: VNode,
    readonly section?: Section,
    readonly options: PageOptions = {},
  ) {}
}

/** What a handler returns to replace the live part of a page that is shown already. */
export class Fragment {
  constructor(readonly body: VNode) {}
}

/** The status of the answer to a form that leads to a page. */
export const SEE_OTHER = 303;

/** What a handler returns to lead to another page, also after a form. */
export class SeeOther {
  constructor(
    readonly url: string,
    /** A sentence that the page shows once. */
    readonly notice?: string,
  ) {}
}
