import type { HttpAnswer } from '../../transport/http';
import { type Page, redirectOf } from '../../page';
import { hash } from '../../response-similarity';
import type { KnownDistinction } from '../../experiment-record';

/** A longer text would block the event loop for too long. */
const SEARCHED_CHARACTERS = 50_000;

/** Percent-encoding, character references and JSON escapes with which a page may write a value. */
const WRITTEN = /%[\da-f]{2}|&#?\w{1,8};|\\u[\da-f]{4}/gi;
const NUMBER = /^\d{4,}$/;
const WORD = /[\p{L}\p{N}_]+/gu;

const wordsIn = (text: string): readonly string[] => text.replace(WRITTEN, ' ').toLowerCase().match(WORD) ?? [];

/**
 * What can differ between two responses: status, redirect, words, how often each word occurs, and which words follow each other.
 */
export type Traits = ReadonlySet<string>;

/** A value and how it was answered. */
export interface Answered {
  readonly value: string;
  readonly answer: Page;
}

/** Leaves out the words that were sent, and those of `others`: a page that repeats them says nothing by that. */
export function traitsOf(
  { value, answer }: Answered,
  others: readonly Answered[] = [],
  ignoresNumbers = false,
): Traits {
  const first: HttpAnswer = answer.hops[0] ?? answer;
  const own = new Set([value, ...others.map((other) => other.value)].flatMap(wordsIn));
  const traits = new Set([`status ${first.status}`]);
  const to = redirectOf(first);
  if (to !== null) traits.add(`to ${to.origin}${to.pathname}`);
  const counts = new Map<string, number>();
  let before = '';
  for (const written of wordsIn(first.text.slice(0, SEARCHED_CHARACTERS))) {
    // A page that calculates may or may not show a number that was sent.
    const word = NUMBER.test(written) ? '#' : written;
    if (own.has(word) || (ignoresNumbers && word === '#')) continue;
    const count = (counts.get(word) ?? 0) + 1;
    counts.set(word, count);
    traits.add(`${word} ${count}`).add(`${before}-${word}`);
    before = word;
  }
  return traits;
}

const isSubset = (part: Traits, whole: Traits): boolean => [...part].every((trait) => whole.has(trait));

const common = ([first = new Set<string>(), ...others]: readonly Traits[]): Traits =>
  new Set([...first].filter((trait) => others.every((other) => other.has(trait))));

/** Whether a response is like known responses of one kind. What differs between those is ignored. */
export function isAs(answered: Answered, known: readonly Answered[], ignoresNumbers = false): boolean {
  const own = traitsOf(answered, known, ignoresNumbers);
  const usual = known.map((one) => traitsOf(one, [answered], ignoresNumbers));
  const [one = own, other = one] = usual;
  const isStable = isSubset(one, other) && isSubset(other, one);
  return isSubset(common(usual), own) && (!isStable || isSubset(own, one));
}

const notIn = (traits: Traits, others: readonly Traits[]): readonly string[] =>
  [...traits].filter((trait) => !others.some((other) => other.has(trait)));

/** Kept per kind; more would not help. */
const MOST_KEPT = 100;

/** Stores hashes instead of the texts of pages. */
const hashesOf = (traits: Iterable<string>): string[] => [...traits].map((trait) => hash(trait).toString(36));

/** What tells two kinds of responses apart. */
export class Distinction {
  private constructor(
    private readonly ofTrue: readonly string[],
    private readonly ofFalse: readonly string[],
  ) {}

  /** Null if nothing tells these responses apart. */
  static between(whenTrue: readonly Traits[], whenFalse: readonly Traits[]): Distinction | null {
    const ofTrue = notIn(common(whenTrue), whenFalse);
    const ofFalse = notIn(common(whenFalse), whenTrue);
    return ofTrue.length + ofFalse.length === 0 ? null : new Distinction(ofTrue, ofFalse);
  }

  /** Which kind a response is, by the majority of the distinguishing traits: a page that changes may lack some of them. */
  isTrue(traits: Traits): boolean {
    const votes =
      this.ofTrue.filter((trait) => traits.has(trait)).length +
      this.ofFalse.filter((trait) => !traits.has(trait)).length;
    return votes * 2 > this.ofTrue.length + this.ofFalse.length;
  }

  kept(): KnownDistinction {
    const [ofTrue, ofFalse] = [this.ofTrue, this.ofFalse].map((traits) => hashesOf(traits.slice(0, MOST_KEPT)));
    return { ofTrue: ofTrue ?? [], ofFalse: ofFalse ?? [] };
  }

  /** The same decision with the stored traits of an earlier distinction. */
  static isTrueBy({ ofTrue, ofFalse }: KnownDistinction, traits: Traits): boolean {
    return new Distinction(ofTrue, ofFalse).isTrue(new Set(hashesOf(traits)));
  }
}
