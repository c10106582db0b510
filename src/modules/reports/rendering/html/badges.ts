import type { Severity } from '../../../../kernel/severity';
import type { SnapshotFinding } from '../../domain/report-snapshot';
import { type Markup, markup } from '../markup';
import { capital, spoken } from './words';

export const severityBadge = (severity: Severity): Markup =>
  markup`<span class="badge severity-${severity}">${capital(severity)}</span>`;

export const statusBadge = ({ status, status_name }: Pick<SnapshotFinding, 'status' | 'status_name'>): Markup =>
  markup`<span class="status ${status <= 4 ? 'stands' : status === 5 ? 'resolved' : 'aside'}">${capital(spoken(status_name))}</span>`;

export const anchorOf = ({ id }: Pick<SnapshotFinding, 'id'>): string => `finding-${id}`;
