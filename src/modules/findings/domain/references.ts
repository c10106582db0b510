import { invalid } from '../../../kernel/domain-error';
import { requireWebUrl } from '../../../kernel/web-url';

export const MAX_REFERENCES = 20;
export const MAX_REFERENCE_LENGTH = 2_048;

/** Removes repetitions and keeps the order. Throws unless all are http or https URLs. */
export function requireReferences(texts: readonly string[]): string[] {
  const references = [...new Set(texts)];
  for (const [index, text] of references.entries()) requireReference(text, index + 1);
  if (references.length > MAX_REFERENCES) throw invalid(`A finding has at most ${MAX_REFERENCES} references.`);
  return references;
}

function requireReference(text: string, number: number): void {
  try {
    requireWebUrl(text, 'references');
  } catch (error) {
    throw invalid(`${(error as Error).message} It is number ${number} of the list.`);
  }
}
