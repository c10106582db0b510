import { randomInt } from 'node:crypto';
import type { Page } from '../../page';
import { decodedEntities } from '../../entities';
import type { Experiment } from '../experiment';
import { withGaps } from './gaps';

/** The syntax of a computation at the place of the value. */
export interface ComputationSyntax {
  readonly id: string;
  /** Where the value is, in words for people: `a command`. */
  readonly place: string;
  /** Whether it is a sum; by default it is the product of both numbers. */
  readonly isSum?: boolean;
  fits?(value: string): boolean;
  /** A text that is read as a space. */
  readonly gap?: string;
  write(value: string, one: number, other: number): string;
  /** The same in quotes: only an application that computes everything it gets would show a result. */
  quote(value: string, one: number, other: number): string;
}

const ROUNDS = 3;
/** The approximate number of possible results. */
const RESULTS = 1e9;

/** Digits, some of which may be character references. No other character reference can be a digit. */
const REFERRED = /(?:\d|&#[xX]?[\da-fA-F]{1,7};){9,}/g;
/** For pages that write digits as character references. A longer text would block the event loop for too long. */
const SEARCHED_CHARACTERS = 100_000;

/** Whether the page contains the digits. */
export function showsDigits(text: string, digits: string): boolean {
  if (text.includes(digits)) return true;
  const runs = text.slice(0, SEARCHED_CHARACTERS).match(REFERRED) ?? [];
  return runs.some((run) => decodedEntities(run).includes(digits));
}

/** The proof that the response contains the result of a computation with random numbers; null if it does not. */
export async function proveComputation(experiment: Experiment, syntax: ComputationSyntax): Promise<string | null> {
  const { point } = experiment;
  const proof = async (isQuoted: boolean): Promise<Page | null> => {
    // A sum has as many digits as the product of shorter numbers.
    const [least, limit] = syntax.isSum === true ? [1e9, 2e9] : [32_000, 99_999];
    const [one, other] = [randomInt(least, limit), randomInt(least, limit)];
    const result = String(syntax.isSum === true ? one + other : one * other);
    const written = (isQuoted ? syntax.quote : syntax.write)(point.value, one, other);
    const sent = withGaps(point, written, syntax.gap);
    let isShown = false;
    const answer = await experiment.send(sent, {
      expects: isQuoted ? `control, quoted: no ${result}` : `${result} is in the answer`,
      observe: ({ text, status }) => {
        isShown = showsDigits(text, result);
        return `${result} is ${isShown ? '' : 'not '}in the answer (${status})`;
      },
    });
    return isShown ? answer : null;
  };
  let chance = 1;
  for (let round = 0; round < ROUNDS; round += 1) {
    // The computation is sent last, because people repeat the last request.
    if (round > 0 && (await proof(true)) !== null) return null;
    const answer = await proof(false);
    if (answer === null) {
      if (round > 0) experiment.doubt();
      return null;
    }
    chance *= Math.max(1, answer.text.length) / RESULTS;
  }
  return `The results of ${ROUNDS} computations with random numbers, each one of about 10^9 possible, are in the answers, and those of the same quoted are not. The chance to meet them in texts of this length is below ${chance.toExponential(1)}.`;
}
