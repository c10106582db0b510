import { conflict, DomainError, notFound, unprocessable } from '../../../kernel/domain-error';

export const importNotFound = () => notFound('Import');

export const tooManyUploads = (limit: number) =>
  new DomainError(
    'too_many_requests',
    `${limit} files are being uploaded to this organization, which is the limit. Send this one when one of them ends.`,
    10,
  );

export const tooManyUnfinishedImports = (limit: number) =>
  unprocessable(
    `${limit} imports of this organization are unfinished, which is the limit. Send the file when one of them ends, or cancel one.`,
  );

export const uploadAbandoned = () =>
  conflict('The upload took too long between two parts of the file and was removed. Send the file again.');

export const fileNotKept = () =>
  conflict(
    'The file is not kept: only that of a finished dry run is, for 24 hours, until it is imported, and the newest three of an organization. Send the file again.',
  );

export const importNotWaiting = () =>
  conflict('The import waits for no answer: it was answered, canceled, or has waited for 24 hours.');

export const dryRunNotUndone = () => conflict('A dry run changed nothing, so there is nothing to undo.');

export const rowsNeededToUndo = () =>
  conflict(
    'Rows that undoing this import needs were removed, because an organization stores the rows of its newest imports only. Close the findings of the import in bulk instead.',
  );

/** At most this many findings are listed in the message. */
export const MAX_NAMED = 100;

export const findingsTouched = (ids: readonly number[]) =>
  conflict(
    `These findings have changed since the import, so it cannot be undone: ${ids.slice(0, MAX_NAMED).join(', ')}${ids.length > MAX_NAMED ? ' and more' : ''}. They stay as they are; close the other findings of the import one by one or in bulk.`,
  );
