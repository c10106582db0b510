import { checkById } from '../../engine';
import type { Severity } from '../../kernel/severity';

/** What reports say of a built-in check. */
export interface CheckSummary {
  readonly id: string;
  readonly title: string;
  /** Markdown: what the weakness means and how to fix it. */
  readonly text: string;
  readonly severity: Severity;
  /** Numbers in the Common Weakness Enumeration, the main one first. */
  readonly cwe: readonly number[];
  /** Categories of the OWASP Top 10. */
  readonly owasp: readonly string[];
  /** Links to standards and manuals. */
  readonly references: readonly string[];
}

/** The built-in checks with these ids, each once, in alphabetical order. Checks in YAML are left out. */
export function checkSummaries(ids: Iterable<string>): CheckSummary[] {
  return [...new Set(ids)].toSorted().flatMap((id) => {
    const check = checkById(id);
    if (check === null) return [];
    const { title, text, severity, cwe, owasp, references } = check;
    return [{ id, title, text: text.trim(), severity, cwe, owasp, references }];
  });
}
