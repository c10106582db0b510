import { capitalize, withSpaces } from './text-format';

/** A comment of the history. The id of a retest says nothing to readers: the table of retests has its result. */
export const historyText = (comment: string): string =>
  comment.replace(
    /^Retest [0-9a-f-]{36}: (?:(\w+)\. (.))?/su,
    (_all, result?: string, first?: string) =>
      `Retest: ${result === undefined ? '' : `${withSpaces(result)}. ${capitalize(first ?? '')}`}`,
  );
