import type { SentRequest } from '../../src/engine/sent-request';
import type { Listening } from '../../test/real/applications';

export const CATEGORIES = [
  'SQL injection',
  'cross-site scripting',
  'command injection',
  'path traversal',
  'open redirect',
  'header injection',
  'template injection',
] as const;

export type Category = (typeof CATEGORIES)[number];

/** What a scanner reports: a class of weakness at one input of one path. */
export interface Report {
  readonly category: Category;
  readonly method: string;
  readonly path: string;
  readonly parameter: string;
}

/** `true` has the name of the weakness; `aside` says nothing about what is measured. */
export type Judgement = { readonly weakness: string } | 'false' | 'aside';

export interface Benchmark {
  readonly name: string;
  /** What has to be installed or fetched; null if everything is there. */
  readonly missing: string | null;
  /** Returns how to stop it. */
  start(at: Listening): Promise<() => Promise<void>>;
  /** Where both scanners begin, and the folder of the URL that they stay in. */
  readonly folder: string;
  readonly entries: readonly string[];
  readonly seeds: readonly SentRequest[];
  /** The weaknesses that a GET request reaches. */
  readonly weaknesses: ReadonlyMap<Category, readonly string[]>;
  judge(report: Report): Judgement;
}

export interface Scanned {
  readonly reports: readonly Report[];
  /** Parts of the scanner that did not run, and how the scan ended if it was not complete. */
  readonly notes: readonly string[];
}

export const byCategory = (
  weaknesses: readonly { readonly category: Category; readonly id: string }[],
): ReadonlyMap<Category, readonly string[]> =>
  new Map(
    CATEGORIES.map((category) => [category, weaknesses.filter((one) => one.category === category).map(({ id }) => id)]),
  );
