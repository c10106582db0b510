import type { FindingRow } from '../../data/finding.entity';
import type { FindingFilter } from './finding-filter';
import type { FindingOrder } from './finding-orders';

export interface PreviewedList {
  readonly filter: FindingFilter;
  readonly order: FindingOrder;
}

/** How many findings are read of each list, and up to how many are counted. */
export interface PreviewLimits {
  readonly shown: number;
  readonly counted: number;
}

/** A finding as a short list shows it. */
export type PreviewedFinding = Pick<
  FindingRow,
  | 'id'
  | 'title'
  | 'severity'
  | 'status'
  | 'assetValue'
  | 'beaconId'
  | 'assigneeId'
  | 'dueDate'
  | 'acceptedUntil'
  | 'verification'
  | 'verificationReason'
>;
