/** A fault that is inserted into the sources; a test has to fail because of it. */
export interface Mutant {
  /** What is broken, as a sentence that is understood alone. Unique. */
  readonly name: string;
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly search: string;
  readonly replace: string;
  /** The spec that must fail. */
  readonly spec: string;
  /** A part of test titles. Matching tests are run, and at least one must fail. */
  readonly test: string;
  /** The file that contains the title, if it is not the spec itself (rows of the truth tables). */
  readonly titleIn?: string;
}

export const mutated = ({ search, replace }: Mutant, source: string): string => source.replace(search, () => replace);

export const occurrences = (text: string, part: string): number => text.split(part).length - 1;
