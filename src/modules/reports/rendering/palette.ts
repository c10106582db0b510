import type { Severity } from '../../../kernel/severity';

/** The colors of a report. White text has a contrast of at least 4.5 on each; no meaning depends on color alone. */
export const SEVERITY_COLORS: Readonly<Record<Severity, string>> = {
  cosmic: '#5b2a86',
  critical: '#9f1239',
  high: '#c2410c',
  medium: '#946200',
  low: '#1f6f9f',
  info: '#4a6178',
  none: '#667080',
};

export const PALETTE = {
  ink: '#16202c',
  muted: '#55616e',
  line: '#d8dee5',
  tint: '#f4f6f8',
  paper: '#ffffff',
  accent: '#12495a',
  found: '#9f1239',
  resolved: '#2b6b57',
} as const;
