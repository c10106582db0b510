import { checkById } from '../../../engine';

/** What a built-in check says about the weakness that it detects. */
export interface CheckFacts {
  readonly id: string;
  readonly title: string;
  /** The number in the Common Weakness Enumeration. */
  readonly cwe: number | null;
}

/** Null for checks that this version does not have. */
export function factsOfCheck(id: string): CheckFacts | null {
  const check = checkById(id);
  return check === null ? null : { id, title: check.title, cwe: check.cwe };
}
