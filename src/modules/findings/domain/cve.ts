import { invalid } from '../../../kernel/domain-error';

export function requireCve(text: string): string {
  if (/^CVE-\d{4}-\d{4,19}$/.test(text)) return text;
  throw invalid('cve must be a CVE identifier, such as CVE-2026-12345.');
}
