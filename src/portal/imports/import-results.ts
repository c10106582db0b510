import { type Import, ROW_RESULTS, type RowResult } from '../../modules/imports';

const COUNTS: Readonly<Record<RowResult, (one: Import) => number>> = {
  new: ({ rowsNew }) => rowsNew,
  seen_again: ({ rowsSeenAgain }) => rowsSeenAgain,
  reopened: ({ rowsReopened }) => rowsReopened,
  unchanged: ({ rowsUnchanged }) => rowsUnchanged,
  refused: ({ rowsRefused }) => rowsRefused,
  missing: ({ rowsMissing }) => rowsMissing,
};

/** How many rows have each result. */
export const countsOf = (one: Import): [RowResult, number][] =>
  ROW_RESULTS.map((result) => [result, COUNTS[result](one)]);

/** What a result means. */
export const MEANINGS: Readonly<Record<RowResult, string>> = {
  new: 'No finding was known, so the import creates one.',
  seen_again: 'The finding exists, and this sighting is new.',
  reopened: 'The finding was resolved, and the scanner saw it after that, so the import reopens it.',
  unchanged: 'This sighting is known: the same scanner and rule, at the same time, in the same event.',
  refused: 'These rows are not imported. Each has the reason.',
  missing:
    'Open findings that the scanner saw before and that the file no longer has. They stay open: a scanner may be silent for many reasons. Retest them to learn whether they are fixed.',
};

/** The fields and options of the form, which texts name. */
export const UNKNOWN_HOSTS = 'Results on unknown hosts';
export const ADD_HOSTS = 'Add the hosts as assets';
export const NO_HOST = 'Asset of results that name no host';

/** The API names its parameters, and the portal the fields of its form. */
export const reasonInPortal = (reason: string): string =>
  reason
    .replace('with unknown_assets=add', `with “${UNKNOWN_HOSTS}: ${ADD_HOSTS}”`)
    .replace('name its asset with the parameter asset', `name its asset in the field “${NO_HOST}”`);
