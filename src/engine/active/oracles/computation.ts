import { randomInt } from 'node:crypto';
import type { Page } from '../../page';
import { decodedEntities } from '../../entities';
import type { Experiment } from '../experiment';
import { withGaps } from './gaps';

/** How a computation is written where the value is. */
export interface ComputationSyntax {
  readonly id: string;
  /** Where the value is, for people: `a command`. */
  readonly place: string;
  /** By default the product of both numbers. */
  readonly isSum?: boolean;
  fits?(value: string): boolean;
  /** Is read as a space. */
  readonly gap?: string;
  write(value: string, one: number, other: number): string;
  /** The same, quoted: only what computes whatever is sent to it would show a result. */
  quote(value: string, one: number, other: number): string;
}

const ROUNDS = 3;
/** About so many results are possible. */
const RESULTS = 1e9;

/** Digits of which some may be written as numeric references. No other reference is a digit. */
const REFERRED = /(?:\d|&#[xX]?[\da-fA-F]{1,7};){9,}/g;
/** Of a page that writes digits as references; more would hold the event loop for too long. */
const SEARCHED_CHARACTERS = 100_000;

/** Whether the digits are in the page. */
export function showsDigits(text: string, digits: string): boolean {
  if (text.includes(digits)) return true;
  const runs = text.slice(0, SEARCHED_CHARACTERS).match(REFERRED) ?? [];
  return runs.some((run) => decodedEntities(run).includes(digits));
}

/** Whether what was computed from random numbers is in the answer, and why that is certain; null if it is not. */
export async function proveComputation(experiment: Experiment, syntax: ComputationSyntax): Promise<string | null> {
  const { point } = experiment;
  const proof = async (isQuoted: boolean): Promise<Page | null> => {
    // A sum has as many digits as a product of shorter numbers.
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
    // The computation is the last request, which people repeat.
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
