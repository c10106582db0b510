import { ENCODING_FUNCTIONS } from './encoding-functions';
import type { FunctionTable, TemplateFunction } from './function-table';
import { RANDOM_FUNCTIONS, TIME_FUNCTIONS } from './changing-functions';
import { SEARCH_FUNCTIONS } from './search-functions';
import { TEXT_FUNCTIONS } from './text-functions';
import { ExpressionError } from './value';

const ALL: FunctionTable = {
  ...TEXT_FUNCTIONS,
  ...ENCODING_FUNCTIONS,
  ...SEARCH_FUNCTIONS,
  ...RANDOM_FUNCTIONS,
  ...TIME_FUNCTIONS,
};

/** Templates write each name with or without underscores. */
const plain = (name: string): string => name.replaceAll('_', '');
const BY_PLAIN_NAME = new Map(Object.entries(ALL).map(([name, one]) => [plain(name), one]));

/** The documented names. */
export const functionNames = (): string[] => Object.keys(ALL).sort();

export function functionNamed(name: string): TemplateFunction {
  const found = BY_PLAIN_NAME.get(plain(name));
  if (found === undefined) throw new ExpressionError(`the function ${name.slice(0, 60)} is not supported`);
  return found;
}

const CHANGING = new Set([...Object.keys(RANDOM_FUNCTIONS), ...Object.keys(TIME_FUNCTIONS)].map(plain));

/** Whether each run gets a different value. */
export const isChanging = (name: string): boolean => CHANGING.has(plain(name));

const PREDICATES = new Set(
  `contains contains_all contains_any starts_with ends_with line_starts_with line_ends_with regex regex_all regex_any equals_any
  compare_versions`
    .split(/\s+/)
    .map(plain),
);

/** Whether its value is a boolean. */
export const isPredicate = (name: string): boolean => PREDICATES.has(plain(name));
