import type { Severity } from '../../../../kernel/severity';
import type { SnapshotFinding } from '../../domain/snapshot-finding';
import { dispositionOf } from '../disposition';
import { type Markup, markup } from '../markup';
import { NO_VERDICT_MARK, VERDICT_MARKS, type VerdictIcon } from '../palette';
import { severityLabel, statusLabel } from '../text-format';

export const severityBadge = (severity: Severity): Markup =>
  markup`<span class="badge severity-${severity}">${severityLabel(severity)}</span>`;

export const statusBadge = ({ status, status_name }: Pick<SnapshotFinding, 'status' | 'status_name'>): Markup =>
  markup`<span class="status ${dispositionOf(status)}">${statusLabel(status_name)}</span>`;

const SHAPES: Readonly<Record<VerdictIcon, Markup>> = {
  check: markup`<path d="M4 8.3 6.7 11 12 5.200" fill="none" stroke="currentColor" stroke-width="1.600"/>`,
  dash: markup`<path d="M4.500 8h7" fill="none" stroke="currentColor" stroke-width="1.600"/>`,
  ring: markup``,
  strike: markup`<path d="M3.500 12.500l9-9" stroke="currentColor" stroke-width="1.600"/>`,
  dot: markup`<path d="M8 1a7 7 0 1 0 0 14 7 7 0 0 0 0-14z" fill="currentColor"/>`,
};

const RING = markup`<path d="M8 1a7 7 0 1 0 0 14 7 7 0 0 0 0-14z" fill="none" stroke="currentColor" stroke-width="1.600"/>`;

/** The result of a retest or the state of a probe, with an icon of its own shape. */
export const verdictMark = (kind: string, label: string): Markup => {
  const { color, icon } = VERDICT_MARKS[kind] ?? NO_VERDICT_MARK;
  return markup`<b class="verdict" style="color:${color}"><svg aria-hidden="true" viewBox="0 0 16 16" width="13" height="13">${icon !== 'dot' && RING}${SHAPES[icon]}</svg>${label}</b>`;
};

export const anchorOf = ({ id }: Pick<SnapshotFinding, 'id'>): string => `finding-${id}`;
