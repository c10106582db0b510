/** One spelling for all names that people take for the same: case folded, compatibility forms and spaces unified. */
export function normalizeName(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/gu, ' ').toUpperCase().toLowerCase();
}
