/** The form in which names are compared: case-folded, in Unicode compatibility form, with single spaces. */
export function normalizeName(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/gu, ' ').toUpperCase().toLowerCase();
}
