import * as fc from 'fast-check';
import { variablesWithoutValue } from './variables-without-value';

/** Implements the definition directly: one search for each variable. */
function needsItself(variable: string, needs: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set<string>();
  const waiting = [...(needs.get(variable) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === variable) return true;
    if (!seen.has(next)) waiting.push(...(needs.get(next) ?? []));
    seen.add(next);
  }
  return false;
}

describe('variables without a value', () => {
  it('are those that need themselves, in any graph of variables', () => {
    const name = fc.nat(11).map((at) => `v${at}`);
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.array(name, { maxLength: 3 }))), (stated) => {
        const needs = new Map(stated);
        const expected = [...needs.keys()].filter((variable) => needsItself(variable, needs));
        expect(variablesWithoutValue(needs)).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are found by looking at each variable once', () => {
    let looks = 0;
    class Counted extends Map<string, string[]> {
      override get(name: string): string[] | undefined {
        looks += 1;
        return super.get(name);
      }
    }
    const many = 1_000;
    const chain = Array.from({ length: many }, (_none, at) => [`v${at}`, [`v${at - 1}`, `v${at + 1}`]] as const);
    expect(variablesWithoutValue(new Counted(chain.map(([name, needed]) => [name, [...needed]])))).toHaveLength(many);
    // The two names at the ends are not variables.
    expect(looks).toBe(many + 2);
  });
});
