import { invalid } from '../../../kernel/domain-error';
import { isLine } from '../../../kernel/plain-text';

export const MAX_LABELS = 20;
export const MAX_LABEL_LENGTH = 40;

function lengthOf(text: string): number {
  let length = 0;
  for (const _character of text) length++;
  return length;
}

/** The length of a text with the maximum number of labels. */
export const MAX_LABELS_LENGTH = MAX_LABELS * (MAX_LABEL_LENGTH + 2);

/** Labels are equal whatever their case and spacing. */
const normalized = (label: string): string =>
  label.normalize('NFC').trim().replace(/ +/g, ' ').toUpperCase().toLowerCase();

/** Throws if a label is not valid. */
export function normalizeLabel(label: string): string {
  const text = normalized(label);
  const length = lengthOf(text);
  if (length > 0 && length <= MAX_LABEL_LENGTH && isLine(text)) return text;
  throw invalid(`labels must have 1 to ${MAX_LABEL_LENGTH} characters each, without control characters.`);
}

/** Without repetitions, in alphabetical order. Throws if a label is not valid or there are too many. */
export function normalizeLabels(labels: readonly string[]): string[] {
  const all = [...new Set(labels.map(normalizeLabel))].sort();
  if (all.length <= MAX_LABELS) return all;
  throw invalid(`labels must be at most ${MAX_LABELS}, and these would be ${all.length}.`);
}

/** Splits a comma-separated text, as people type labels into one field. */
export const labelsIn = (text: string): string[] =>
  normalizeLabels(text.split(',').filter((label) => label.trim() !== ''));
