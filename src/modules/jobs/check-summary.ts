import { checkById } from '../../engine';
import type { Severity } from '../../kernel/severity';

/** What reports say of a built-in check. */
export interface CheckSummary {
  readonly id: string;
  readonly title: string;
  /** Markdown: what the weakness means and how to fix it. */
  readonly text: string;
  readonly severity: Severity;
  readonly cwe: number | null;
}

/** The built-in checks with these ids, in alphabetical order and each once. Checks of people are left out. */
export function checkSummaries(ids: Iterable<string>): CheckSummary[] {
  return [...new Set(ids)].toSorted().flatMap((id) => {
    const check = checkById(id);
    if (check === null) return [];
    const { title, text, severity, cwe } = check;
    return [{ id, title, text: text.trim(), severity, cwe }];
  });
}
