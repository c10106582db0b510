import type { Severity } from '../../../kernel/severity';

/** The colors of severities. White text has a contrast of at least 4.5 on each; no meaning depends on color alone. */
export const SEVERITY_COLORS: Readonly<Record<Severity, string>> = {
  cosmic: '#5b2a86',
  critical: '#a3123a',
  high: '#b8430e',
  medium: '#8a6100',
  low: '#1f66a3',
  info: '#576270',
  none: '#576270',
};

/** The other colors of PDF and HTML reports: the light theme of the portal. */
export const PALETTE = {
  ink: '#16202c',
  muted: '#576270',
  line: '#dfe3e8',
  tint: '#f6f7f9',
  paper: '#ffffff',
  accent: '#0f6b78',
  found: '#a3123a',
  resolved: '#1f6f4a',
  uncertain: '#8a6100',
  /** Behind the decisive lines of evidence. */
  mark: '#fdf3d1',
} as const;

/** The color and the icon of each result of a retest, state of a probe and belief. The icons differ in shape. */
export const VERDICT_MARKS: Readonly<Record<string, { readonly color: string; readonly icon: VerdictIcon }>> = {
  fixed: { color: PALETTE.resolved, icon: 'check' },
  not_vulnerable: { color: PALETTE.resolved, icon: 'check' },
  still_vulnerable: { color: PALETTE.found, icon: 'dot' },
  vulnerable: { color: PALETTE.found, icon: 'dot' },
  blocked: { color: PALETTE.uncertain, icon: 'dash' },
  inconclusive: { color: PALETTE.uncertain, icon: 'dash' },
  proved: { color: PALETTE.found, icon: 'dot' },
  claimed: { color: PALETTE.uncertain, icon: 'ring' },
  untestable: { color: PALETTE.muted, icon: 'ring' },
  refuted: { color: PALETTE.resolved, icon: 'strike' },
};

export type VerdictIcon = 'check' | 'dot' | 'dash' | 'ring' | 'strike';

/** Of a retest without a result. */
export const NO_VERDICT_MARK = { color: PALETTE.muted, icon: 'dash' } as const;
