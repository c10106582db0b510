/** A term of a search, and what it may mean. A finding matches if each term is found in it. */
export interface SearchTerm {
  /** In lower case. */
  readonly text: string;
  /** Its words as descriptions have them: each with a space before it. Empty without words. */
  readonly phrase: string;
  /** Of the finding with this id. 0 if the term is no id. */
  readonly id: number;
  /** Members whom the term may name. */
  readonly memberIds: readonly number[];
  /** The check that had the searched words in its title in a version before. Empty without one. */
  readonly formerlyOf: string;
}

const MAX_TERMS = 20;
const TOKEN_LENGTH = 3;
const WORD_LENGTH = 24;
const MAX_ID = 2_147_483_647;
const ID = /^#?([1-9]\d{0,9})$/;

/** What is between spaces. Further ones are not compared. */
export const termsIn = (text: string): string[] => [...new Set(text.split(/\s+/u))].filter(Boolean).slice(0, MAX_TERMS);

/** The id that `9` and `#9` name; undefined for other texts. */
export function idIn(text: string): number | undefined {
  const id = Number(ID.exec(text.trim())?.[1]);
  return id <= MAX_ID ? id : undefined;
}

/**
 * The tokens that a matching finding has, as a `tsquery`. `finding_tokens` of the migration makes those of a finding. Null if
 * they do not narrow the search: a letter alone is in most texts.
 */
export function tokenQuery(organizationId: number, terms: readonly SearchTerm[]): string | null {
  const token = (kind: string, value: string | number, isPrefix = false): string =>
    `'${`${organizationId}${kind}${value}`.replace(/[\\']/g, '\\$&')}'${isPrefix ? ':*' : ''}`;

  const ofText = (text: string): string => {
    const characters = Array.from(text);
    if (characters.length < TOKEN_LENGTH) return token('=', text, true);
    const parts = characters.slice(TOKEN_LENGTH - 1).map((_, at) => characters.slice(at, at + TOKEN_LENGTH).join(''));
    return [...new Set(parts)].map((part) => token('=', part)).join(' & ');
  };
  const ofPhrase = (phrase: string): string =>
    phrase
      .trim()
      .split(' ')
      .map((word, at, words) => token('~', Array.from(word).slice(0, WORD_LENGTH).join(''), at === words.length - 1))
      .join(' & ');
  const ofTerm = ({ text, phrase, id, memberIds, formerlyOf }: SearchTerm): string =>
    [
      `(${ofText(text)})`,
      ...(phrase === '' ? [] : [`(${ofPhrase(phrase)})`]),
      ...(formerlyOf === '' ? [] : [`(${ofText(formerlyOf)})`]),
      ...(id === 0 ? [] : [token('#', id)]),
      ...memberIds.map((member) => token('@', member)),
    ].join(' | ');
  const narrowing = terms.filter(({ text }) => !/^[\da-z]$/.test(text));
  return narrowing.length === 0 ? null : narrowing.map((term) => `(${ofTerm(term)})`).join(' & ');
}
