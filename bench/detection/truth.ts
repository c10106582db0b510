import { type Benchmark, byCategory, type Category, type Judgement, type Report } from './benchmark';

/** `category path parameter`: what a GET request without sign-in reaches, read in the sources and tried by hand. */
export type Truth = readonly (readonly [category: Category, path: string, parameter: string])[];

export function fromTruth(truth: Truth): Pick<Benchmark, 'weaknesses' | 'judge'> {
  return {
    weaknesses: byCategory(truth.map((one) => ({ category: one[0], id: one.join(' ') }))),
    judge({ category, method, path, parameter }: Report): Judgement {
      if (method !== 'GET') return 'aside';
      const known = truth.find((one) => one.join(' ') === [category, path, parameter].join(' '));
      return known === undefined ? 'false' : { weakness: known.join(' ') };
    },
  };
}
