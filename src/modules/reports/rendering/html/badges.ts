import type { Severity } from '../../../../kernel/severity';
import type { SnapshotFinding } from '../../domain/snapshot-finding';
import { type Markup, markup } from '../markup';
import { dispositionOf } from '../disposition';
import { capitalize, severityLabel, withSpaces } from '../text-format';

export const severityBadge = (severity: Severity): Markup =>
  markup`<span class="badge severity-${severity}">${severityLabel(severity)}</span>`;

export const statusBadge = ({ status, status_name }: Pick<SnapshotFinding, 'status' | 'status_name'>): Markup =>
  markup`<span class="status ${dispositionOf(status)}">${capitalize(withSpaces(status_name))}</span>`;

export const anchorOf = ({ id }: Pick<SnapshotFinding, 'id'>): string => `finding-${id}`;
