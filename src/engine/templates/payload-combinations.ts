import type { TemplateLimits } from './template-limits';
import type { RequestBlock } from './template-schema';

type Payloads = Readonly<Record<string, readonly string[]>>;
export type Combination = Readonly<Record<string, string>>;

const IN_TURN: Readonly<Record<RequestBlock['attack'], (payloads: Payloads) => number | string>> = {
  batteringram(payloads) {
    const lists = Object.values(payloads);
    return lists.length === 1 ? (lists[0]?.length ?? 0) : 'batteringram takes one payload; state another attack';
  },
  pitchfork: (payloads) => Math.min(...Object.values(payloads).map(({ length }) => length)),
  clusterbomb: (payloads) => Object.values(payloads).reduce((product, { length }) => product * length, 1),
};

/** The combination with this number. With clusterbomb, the last payload changes fastest. */
function combinationAt(attack: RequestBlock['attack'], payloads: Payloads, at: number): Combination {
  let rest = at;
  const chosen = Object.entries(payloads)
    .toReversed()
    .map(([name, values]) => {
      const index = attack === 'clusterbomb' ? rest % values.length : at;
      rest = Math.floor(rest / values.length);
      return [name, values[index] ?? ''] as const;
    });
  return Object.fromEntries(chosen.toReversed());
}

/** The payloads for each round of a block, or why there are none. A block without payloads has one round. */
export function payloadCombinations(
  { payloads: stated, attack }: Pick<RequestBlock, 'payloads' | 'attack'>,
  limits: TemplateLimits,
): readonly Combination[] | { readonly refusal: string } {
  if (stated === undefined) return [{}];
  const payloads: Record<string, readonly string[]> = {};
  for (const [name, values] of Object.entries(stated)) {
    if (typeof values === 'string')
      return { refusal: `${name} is a file, which is not supported; state the values as a list` };
    payloads[name] = values;
  }
  const longest = Object.entries(payloads).find(([, values]) => values.length > limits.payloads);
  if (longest !== undefined)
    return { refusal: `${longest[0]} has ${longest[1].length} values, which are more than ${limits.payloads}` };
  const count = IN_TURN[attack](payloads);
  if (typeof count === 'string') return { refusal: count };
  return count > limits.requests
    ? { refusal: `${count} combinations are more than ${limits.requests}` }
    : Array.from({ length: count }, (_none, at) => combinationAt(attack, payloads, at));
}
