import { Transitions } from '../../../kernel/transitions';

/** UPLOADING means that the upload has not ended; such imports are not shown. */
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
  // Returns to PENDING to wait for an answer.
  IN_PROGRESS: ['PENDING', 'FINISHED', 'ERROR', 'CANCELED'],
  FINISHED: ['UNDOING'],
  ERROR: ['UNDOING'],
  CANCELED: ['UNDOING'],
  UNDOING: ['UNDONE', 'ERROR'],
  UNDONE: [],
};

const transitions = new Transitions<ImportStatus>('import', TRANSITIONS);

/** Whether the worker has finished with it. */
export const isImportOver = (status: ImportStatus): boolean =>
  status !== 'PENDING' && status !== 'IN_PROGRESS' && status !== 'UNDOING';

/** Whether canceling changes the status. Canceling again changes nothing; any other import that has ended is a conflict. */
export function cancelsImport(status: ImportStatus): boolean {
  if (status === 'CANCELED') return false;
  transitions.requireAllowed(status, 'CANCELED');
  return true;
}

/** Whether undoing changes the status. Undoing again changes nothing; an import that has not ended is a conflict. */
export function undoesImport(status: ImportStatus): boolean {
  if (status === 'UNDOING' || status === 'UNDONE') return false;
  transitions.requireAllowed(status, 'UNDOING');
  return true;
}

/** Whether people may decide about the checks that the file carries. */
export const decidesProposals = (status: ImportStatus): boolean =>
  status === 'FINISHED' || status === 'ERROR' || status === 'CANCELED';

export const ROW_RESULTS = ['new', 'seen_again', 'reopened', 'unchanged', 'refused', 'missing'] as const;

/** Per import. Further refusals are only counted. */
export const MAX_STORED_REFUSALS = 1_000;

/** An import with more refused rows stops: it is not a scanner's file, or belongs to another organization. */
export const MAX_REFUSED = 100_000;

/** How many refused rows were counted and not stored. */
export const refusalsNotStored = ({ rowsRefused }: { readonly rowsRefused: number }): number =>
  Math.max(0, rowsRefused - MAX_STORED_REFUSALS);

export type RowResult = (typeof ROW_RESULTS)[number];

export const UNKNOWN_ASSETS = ['refuse', 'add'] as const;

export type UnknownAssets = (typeof UNKNOWN_ASSETS)[number];
