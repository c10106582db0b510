import { randomInt } from 'node:crypto';

/**
 * A comparison of a product of random numbers. True and false ones look the same, so that filters for tautologies treat them
 * alike.
 */
export interface Condition {
  readonly isTrue: boolean;
  /** For example, `371*864`. */
  readonly product: string;
  /** The correct product, or another number of the same length. */
  readonly stated: string;
}

/** Changes one digit. */
function withAnotherDigit(text: string): string {
  const at = randomInt(1, text.length);
  const digit = (Number(text[at]) + randomInt(1, 10)) % 10;
  return `${text.slice(0, at)}${digit}${text.slice(at + 1)}`;
}

export function condition(isTrue: boolean): Condition {
  const [one, other] = [randomInt(320, 1_000), randomInt(320, 1_000)];
  const right = String(one * other);
  return { isTrue, product: `${one}*${other}`, stated: isTrue ? right : withAnotherDigit(right) };
}

export const isHeads = (): boolean => randomInt(2) === 1;
