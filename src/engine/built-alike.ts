import { type Page, redirectOf } from './page';
import { similarity, type Sketch, sketch, structureOf, wordsOf } from './response-similarity';

/** The structure of a response, independent of its text. */
export interface Built {
  readonly status: number;
  readonly structure: Sketch;
}

/** The share of tags that two responses of the same program have in common. */
const BUILT_ALIKE = 0.8;

export const builtOf = async ({ status, text }: Page): Promise<Built> => ({
  status,
  structure: await sketch(structureOf(text)),
});

export const isBuiltAlike = (one: Built, other: Built): boolean =>
  one.status === other.status && similarity(one.structure, other.structure) >= BUILT_ALIKE;

/** Whether two responses redirect to the same place and have the same tags and words, ignoring numbers and long tokens. */
export const isSameText = async (one: Page, other: Page): Promise<boolean> =>
  one.status === other.status &&
  redirectOf(one)?.href === redirectOf(other)?.href &&
  similarity(await sketch(structureOf(one.text)), await sketch(structureOf(other.text))) === 1 &&
  similarity(await sketch(wordsOf(one.text)), await sketch(wordsOf(other.text))) === 1;
