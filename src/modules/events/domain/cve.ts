import { invalid } from '../../../kernel/domain-error';

/** The name of a known vulnerability, as its numbering authority writes it. */
export function requireCve(text: string): string {
  if (/^CVE-\d{4}-\d{4,19}$/.test(text)) return text;
  throw invalid('cve must be the name of a CVE, such as CVE-2026-12345.');
}
