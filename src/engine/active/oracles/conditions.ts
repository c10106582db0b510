import { randomInt } from 'node:crypto';

/** A comparison that is true only for who can multiply. Both kinds look the same, so that no filter for tautologies tells them apart. */
export interface Condition {
  readonly isTrue: boolean;
  /** `371*864` */
  readonly product: string;
  /** The product, or a number of the same length that is not it. */
  readonly stated: string;
}

/** Another digit at one place. */
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
