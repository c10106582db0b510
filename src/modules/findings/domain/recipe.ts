import { type Check, checkById, httpCheck, locationOf, parseTarget, type Target } from '../../../engine';
import { DomainError, invalid } from '../../../kernel/domain-error';

/** How a finding is tested again, as it is kept: where, and the check itself where it is none of ours. */
export interface Recipe {
  readonly location: string;
  /** A check in YAML. */
  readonly http?: string;
}

/** A check as a finding has it: its id, and its recipe as the database kept it. */
export interface RecordedCheck {
  readonly checkId: string | null;
  readonly recipe: unknown;
}

export interface TestOfFinding {
  readonly check: Check;
  readonly target: Target;
}

const isRecipe = (value: unknown): value is Recipe =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'location') === 'string' &&
  ['string', 'undefined'].includes(typeof Reflect.get(value, 'http'));

/** A check of ours at a place; unknown ones are refused. */
export function recipeOfCheck(id: string, location: string): RecordedCheck & { readonly recipe: Recipe } {
  if (checkById(id) === null) throw invalid(`check.id "${id.slice(0, 100)}" is no check that is known.`);
  return { checkId: id, recipe: { location: locationOf(parseTarget(location)) } };
}

/** A check that somebody wrote, at a place. What it asks for and is not supported is refused by name. */
export function recipeOfHttp(http: string, location: string): RecordedCheck & { readonly recipe: Recipe } {
  const { id } = httpCheck(http);
  return { checkId: id, recipe: { location: locationOf(parseTarget(location)), http } };
}

/** What to run, and at what; null where there is no check, or none any more that this version knows. */
export function testOfFinding({ checkId, recipe }: RecordedCheck): TestOfFinding | null {
  if (checkId === null || !isRecipe(recipe)) return null;
  try {
    const check = recipe.http === undefined ? checkById(checkId) : httpCheck(recipe.http);
    return check === null ? null : { check, target: parseTarget(recipe.location) };
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
