import type { HttpAnswer } from '../../transport/http';
import { type Page, redirectOf } from '../../page';
import { hash } from '../../response-similarity';
import type { KnownDistinction } from '../../experiment-record';

/** More would take a turn of the event loop for too long. */
const SEARCHED_CHARACTERS = 50_000;

/** Percent-encoding, entities and escapes of JSON, by which a value is written in a page. */
const WRITTEN = /%[\da-f]{2}|&#?\w{1,8};|\\u[\da-f]{4}/gi;
const NUMBER = /^\d{4,}$/;
const WORD = /[\p{L}\p{N}_]+/gu;

const wordsIn = (text: string): readonly string[] => text.replace(WRITTEN, ' ').toLowerCase().match(WORD) ?? [];

/** What can differ between two answers: status, redirect, words, how often each of them occurs, and which follow each other. */
export type Traits = ReadonlySet<string>;

/** A value and how it was answered. */
export interface Answered {
  readonly value: string;
  readonly answer: Page;
}

/** The words that were sent are left out: a page that repeats them says nothing by that. So are those of `others`, to compare. */
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
    // A page that calculates shows a number that was sent, or that was not.
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

/** Whether an answer is like others that are of one kind. What differs between those counts for nothing. */
export function isAs(answered: Answered, known: readonly Answered[], ignoresNumbers = false): boolean {
  const own = traitsOf(answered, known, ignoresNumbers);
  const usual = known.map((one) => traitsOf(one, [answered], ignoresNumbers));
  const [one = own, other = one] = usual;
  const isStable = isSubset(one, other) && isSubset(other, one);
  return isSubset(common(usual), own) && (!isStable || isSubset(own, one));
}

const notIn = (traits: Traits, others: readonly Traits[]): readonly string[] =>
  [...traits].filter((trait) => !others.some((other) => other.has(trait)));

/** Of each kind; more tell no more. */
const MOST_KEPT = 100;

/** Texts of pages are not kept. */
const hashesOf = (traits: Iterable<string>): string[] => [...traits].map((trait) => hash(trait).toString(36));

/** What tells two kinds of answers apart. */
export class Distinction {
  private constructor(
    private readonly ofTrue: readonly string[],
    private readonly ofFalse: readonly string[],
  ) {}

  /** Null where nothing tells these answers apart. */
  static between(whenTrue: readonly Traits[], whenFalse: readonly Traits[]): Distinction | null {
    const ofTrue = notIn(common(whenTrue), whenFalse);
    const ofFalse = notIn(common(whenFalse), whenTrue);
    return ofTrue.length + ofFalse.length === 0 ? null : new Distinction(ofTrue, ofFalse);
  }

  /** Which kind an answer is, by most of what tells them apart: a page that changes may lack some of it. */
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

  /** The same by what was kept of an earlier one. */
  static isTrueBy({ ofTrue, ofFalse }: KnownDistinction, traits: Traits): boolean {
    return new Distinction(ofTrue, ofFalse).isTrue(new Set(hashesOf(traits)));
  }
}
