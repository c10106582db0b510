import { type PresentedFinding, presentFinding } from '../../modules/findings';
import { statusLabel } from '../frame/badges';
import type { ExportedRecords } from '../http/export-file';

export const EXPORT_FORMATS = ['csv', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const COLUMNS = [
  'id',
  'title',
  'severity',
  'priority',
  'score',
  'cve',
  'cwe',
  'cvss_vector',
  'asset_id',
  'asset_value',
  'assignee_id',
  'due_date',
  'created',
] as const;

/** In JSON as the API has it. */
export const findingsExport = (
  pieces: AsyncIterable<readonly PresentedFinding[]>,
  name: string,
): ExportedRecords<PresentedFinding> => ({
  name,
  pieces,
  columns: [...COLUMNS, 'status', 'labels', 'verification', 'beacon_id', 'belief', 'believed_since'],
  cellsOf: (finding) => {
    const shown = presentFinding(finding);
    const others = [statusLabel(finding.status), shown.labels.join(', '), shown.verification.result, finding.beaconId];
    return [...COLUMNS.map((column) => shown[column]), ...others, shown.belief.value, shown.belief.since];
  },
  present: presentFinding,
});
