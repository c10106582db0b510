/** A term of a search, and its possible meanings. A finding matches if it contains each term. */
export interface SearchTerm {
  /** In lower case. */
  readonly text: string;
  /** Its words in the form of search texts: each with a space before it. Empty if the term has no words. */
  readonly phrase: string;
  /** The finding with this id; 0 if the term is not an id. */
  readonly id: number;
  /** The members that the term may name. */
  readonly memberIds: readonly number[];
  /** The check that had the searched words in its title in an earlier version; otherwise empty. */
  readonly formerlyOf: string;
}

const MAX_TERMS = 20;
const TOKEN_LENGTH = 3;
const WORD_LENGTH = 24;
const MAX_ID = 2_147_483_647;
const ID = /^#?([1-9]\d{0,9})$/;

/** Splits at white space. Terms beyond the limit are ignored. */
export const termsIn = (text: string): string[] => [...new Set(text.split(/\s+/u))].filter(Boolean).slice(0, MAX_TERMS);

/** The id that `9` and `#9` name; undefined for other texts. */
export function idIn(text: string): number | undefined {
  const id = Number(ID.exec(text.trim())?.[1]);
  return id <= MAX_ID ? id : undefined;
}

/**
 * The tokens that a matching finding has, as a `tsquery`. The migration's function `finding_tokens` makes those of a finding.
 * Null if they do not narrow the search: most texts contain a single letter.
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
