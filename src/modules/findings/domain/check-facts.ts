import { checkById } from '../../../engine/checks';
import { cwe, owaspCategory, wstgTest } from '../../../engine/classification';
import type { Standard } from '../../../engine';

/** What a built-in check says about the weakness that it detects. */
export interface CheckFacts {
  readonly id: string;
  readonly title: string;
  /** The number in the Common Weakness Enumeration. */
  readonly cwe: number | null;
  /** Categories of the OWASP Top 10. */
  readonly owasp: readonly Standard[];
  /** Tests of the OWASP Web Security Testing Guide. */
  readonly wstg: readonly Standard[];
  /** Which request it sends, what proves the weakness, and what proves the fix. */
  readonly decides: string;
}

/** Null for checks that this version does not know. */
export function factsOfCheck(id: string): CheckFacts | null {
  const check = checkById(id);
  if (check === null) return null;
  const { title, cwe: numbers, owasp, wstg, decides } = check;
  return { id, title, cwe: numbers[0] ?? null, owasp: owasp.map(owaspCategory), wstg: wstg.map(wstgTest), decides };
}

export const nameOfCwe = (number: number): string | null => cwe(number).name;
