import type { VNode } from 'preact';

const PATHS = {
  brand: 'M2 2h12v12H2ZM8 4.5v7M4.5 6v2.5M11.5 6v2.5M4.5 6h7M6.5 11.5h3',
  home: 'M2.5 7.5 8 2.5l5.5 5M4 6.5V13h8V6.5',
  inbox: 'M2.5 9.5 4.5 3h7l2 6.5V13h-11ZM2.5 9.5h3l1 1.5h3l1-1.5h3',
  findings: 'M8 2 2 13h12L8 2Zm0 4v3.5M8 11.2v.3',
  assets: 'M2 3h12v4H2ZM2 9h12v4H2ZM4.5 5h.3M4.5 11h.3',
  scans: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.5 10.5 14 14',
  events: 'M2.5 3.5h11v10h-11ZM2.5 6.5h11M5.5 2v3M10.5 2v3',
  reports: 'M4 2h5l3 3v9H4ZM9 2v3h3M6 8h4M6 11h4',
  command: 'M2.5 4 6 8l-3.5 4M8 12h5.5',
  menu: 'M2 4h12M2 8h12M2 12h12',
  settings:
    'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.5 1.5M11.5 11.5 13 13M13 3l-1.5 1.5M4.5 11.5 3 13',
  more: 'M2.5 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0M7.5 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0M12.5 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0',
  plus: 'M8 3.5v9M3.5 8h9',
  close: 'm4 4 8 8M12 4l-8 8',
} as const;

type IconName = keyof typeof PATHS;

/** A 16 px line drawing. It decorates a word, so screen readers skip it. */
export const Icon = ({ name }: { name: IconName }): VNode => (
  <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
