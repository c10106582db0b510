import { CHECKS, checkById } from '../../../engine/checks';
import { invalid } from '../../../kernel/domain-error';

const SUGGESTIONS = 3;

/** Returns the id of a built-in check, or throws an error that names the field and similar ids. */
export function requireCheckId(id: string, field: string): string {
  const check = checkById(id);
  if (check !== null) return check.id;
  throw invalid(`${field} "${id}" is not the id of a built-in check. Similar ids: ${similarIds(id).join(', ')}.`);
}

function similarIds(id: string): string[] {
  const wanted = pairsOf(id.toLowerCase());
  const ids = CHECKS.map((check) => ({ id: check.id, similarity: similarityOf(wanted, pairsOf(check.id)) }));
  return ids
    .sort((one, other) => other.similarity - one.similarity)
    .slice(0, SUGGESTIONS)
    .map((check) => check.id);
}

/** Pairs of neighboring characters. */
const pairsOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2)));

/** The Dice coefficient: the share of pairs that both texts have. */
const similarityOf = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  (2 * [...one].filter((pair) => other.has(pair)).length) / (one.size + other.size);
