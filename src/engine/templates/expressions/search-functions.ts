import { type Environment, type FunctionTable, takes, type Values } from './function-table';

type Contains = (word: string, text: string) => Promise<boolean> | boolean;

/** Whether the first value contains all, or any, of the other values. */
const words =
  (condition: 'every' | 'some', contains: (environment: Environment) => Contains) =>
  async (values: Values, environment: Environment): Promise<boolean> => {
    const text = values.longText(0);
    for (const word of values.texts(1)) {
      if ((await contains(environment)(word, text)) !== (condition === 'every')) return condition === 'some';
    }
    return condition === 'every';
  };

/** Whether the last value matches all, or any, of the patterns before it. */
const patterns =
  (condition: 'every' | 'some') =>
  async (values: Values, { search }: Environment): Promise<boolean> => {
    const texts = values.texts(0);
    const text = texts.pop() ?? '';
    for (const pattern of texts) {
      if ((await search.matches(pattern, text)) !== (condition === 'every')) return condition === 'some';
    }
    return condition === 'every';
  };

const included =
  ({ search }: Environment): Contains =>
  (word, text) =>
    search.includes(word, text);

const onLines =
  (matches: (line: string, word: string) => boolean) =>
  (values: Values): boolean => {
    const lines = values.text(0).split('\n');
    return values.texts(1).some((word) => lines.some((line) => matches(line, word)));
  };

/** Functions that take texts of any length. */
export const SEARCH_FUNCTIONS: FunctionTable = {
  to_lower: takes(1, 1, (values, { search }) => search.toLowerCase(values.longText(0))),
  contains: takes(2, 2, words('every', included)),
  contains_all: takes(2, 50, words('every', included)),
  contains_any: takes(2, 50, words('some', included)),
  starts_with: takes(
    2,
    50,
    words('some', () => (word, text) => text.startsWith(word)),
  ),
  ends_with: takes(
    2,
    50,
    words('some', () => (word, text) => text.endsWith(word)),
  ),
  line_starts_with: takes(
    2,
    50,
    onLines((line, word) => line.startsWith(word)),
  ),
  line_ends_with: takes(
    2,
    50,
    onLines((line, word) => line.endsWith(word)),
  ),
  regex: takes(2, 2, patterns('every')),
  regex_all: takes(2, 50, patterns('every')),
  regex_any: takes(2, 50, patterns('some')),
  replace_regex: takes(3, 3, (values, { search }) => search.replace(values.text(1), values.text(0), values.text(2))),
};
