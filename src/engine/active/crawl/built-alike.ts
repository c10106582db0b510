import type { Page } from '../../page';
import { similarity, sketch, structureOf } from '../../response-similarity';

/** The share of tags that two answers of one page have in common. */
const BUILT_ALIKE = 0.8;

/** Whether two answers have the same structure, whatever they say. */
export async function isBuiltAlike(one: Page, other: Page): Promise<boolean> {
  const [structure, others] = [await sketch(structureOf(one.text)), await sketch(structureOf(other.text))];
  return one.status === other.status && similarity(structure, others) >= BUILT_ALIKE;
}
