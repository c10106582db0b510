import { Transitions } from '../../../kernel/transitions';

/** UPLOADING is an upload that has not ended: nothing shows it. */
export const IMPORT_STATUSES = [
  'UPLOADING',
  'PENDING',
  'IN_PROGRESS',
  'FINISHED',
  'ERROR',
  'CANCELED',
  'UNDOING',
  'UNDONE',
] as const;

export type ImportStatus = (typeof IMPORT_STATUSES)[number];

export const SHOWN_STATUSES = IMPORT_STATUSES.filter((status) => status !== 'UPLOADING');

const TRANSITIONS: Readonly<Record<ImportStatus, readonly ImportStatus[]>> = {
  UPLOADING: ['PENDING'],
  PENDING: ['IN_PROGRESS', 'ERROR', 'CANCELED'],
  // Back to PENDING to wait for an answer.
  IN_PROGRESS: ['PENDING', 'FINISHED', 'ERROR', 'CANCELED'],
  FINISHED: ['UNDOING'],
  ERROR: ['UNDOING'],
  CANCELED: ['UNDOING'],
  UNDOING: ['UNDONE', 'ERROR'],
  UNDONE: [],
};

const transitions = new Transitions<ImportStatus>('import', TRANSITIONS);

/** Whether a worker has nothing left to do. */
export const isImportOver = (status: ImportStatus): boolean =>
  status !== 'PENDING' && status !== 'IN_PROGRESS' && status !== 'UNDOING';

/** Whether the status changes. Canceling again changes nothing; an import that has ended otherwise is a conflict. */
export function cancelsImport(status: ImportStatus): boolean {
  if (status === 'CANCELED') return false;
  transitions.requireAllowed(status, 'CANCELED');
  return true;
}

/** Whether the status changes. Undoing again changes nothing; an import that has not ended is a conflict. */
export function undoesImport(status: ImportStatus): boolean {
  if (status === 'UNDOING' || status === 'UNDONE') return false;
  transitions.requireAllowed(status, 'UNDOING');
  return true;
}

/** Whether people may decide about the checks that the file carries. */
export const decidesProposals = (status: ImportStatus): boolean =>
  status === 'FINISHED' || status === 'ERROR' || status === 'CANCELED';

export const ROW_RESULTS = ['new', 'seen_again', 'reopened', 'unchanged', 'refused', 'missing'] as const;

/** Of an import. All are counted. */
export const MAX_STORED_REFUSALS = 1_000;

/** An import with more of them stops: it is not the file of a scanner, or not one of this organization. */
export const MAX_REFUSED = 100_000;

/** How many refused rows were counted and not stored. */
export const refusalsNotStored = ({ rowsRefused }: { readonly rowsRefused: number }): number =>
  Math.max(0, rowsRefused - MAX_STORED_REFUSALS);

export type RowResult = (typeof ROW_RESULTS)[number];

export const UNKNOWN_ASSETS = ['refuse', 'add'] as const;

export type UnknownAssets = (typeof UNKNOWN_ASSETS)[number];
