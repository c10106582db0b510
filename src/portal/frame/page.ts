import type { VNode } from 'preact';

/** The entries of the sidebar. */
export type SidebarSection = 'home' | 'inbox' | 'findings' | 'assets' | 'scans' | 'events' | 'reports' | 'settings';

/** Where a page belongs: an entry of the sidebar, or a list within one. */
export type Section = SidebarSection | 'imports' | 'domains' | 'beacons' | 'schedules' | 'activity' | 'audit';

/** A page above another one. */
export interface Crumb {
  readonly label: string;
  readonly href: string;
}

interface PageOptions {
  /** If the tab needs another title than the page, such as one with a count. */
  readonly tabTitle?: string;
  /** The record that it is about, in the breadcrumb. */
  readonly within?: Crumb;
  /** Buttons beside the title, in a `div`, or a `Sheet`. */
  readonly actions?: VNode | false;
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

/** The form that undoes what another one did. */
export interface Undo {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A sentence that a page shows once. */
export interface Notice {
  readonly text: string;
  readonly undo?: Undo;
}

/** What a handler returns to redirect to another page, also after a form. */
export class SeeOther {
  constructor(
    readonly url: string,
    /** The next page shows it. */
    readonly notice?: string,
    readonly undo?: Undo,
  ) {}
}
