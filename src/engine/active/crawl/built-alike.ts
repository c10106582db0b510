import type { Page } from '../../page';
import { similarity, type Sketch, sketch, structureOf } from '../../response-similarity';

/** How an answer is built, whatever it says. */
export interface Built {
  readonly status: number;
  readonly structure: Sketch;
}

/** The share of tags that two answers of one program have in common. */
const BUILT_ALIKE = 0.8;

export const builtOf = async ({ status, text }: Page): Promise<Built> => ({
  status,
  structure: await sketch(structureOf(text)),
});

export const isBuiltAlike = (one: Built, other: Built): boolean =>
  one.status === other.status && similarity(one.structure, other.structure) >= BUILT_ALIKE;
