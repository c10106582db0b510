import type { VNode } from 'preact';

const PATHS = {
  brand: 'M3 8.5 7 12l6-8M2 15h12',
  findings: 'M8 2 2 13h12L8 2Zm0 4v3.5M8 11.2v.3',
  settings:
    'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.5 1.5M11.5 11.5 13 13M13 3l-1.5 1.5M4.5 11.5 3 13',
} as const;

export type IconName = keyof typeof PATHS;

/** A 16 px line drawing. It decorates a word, so screen readers skip it. */
export const Icon = ({ name }: { name: IconName }): VNode => (
  <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
