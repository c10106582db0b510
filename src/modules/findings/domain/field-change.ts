/** A changed field as the history shows it. For long texts, only the lines around the change. */
export interface FieldChange {
  readonly field: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** The maximum length of each side. The finding has the whole new text. */
const MAX_SHOWN = 4_000;

const shortened = (text: string): string => (text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)} …`);

/** Undefined if nothing changed. */
export function fieldChange(field: string, from: string | null, to: string | null): FieldChange | undefined {
  if (from === to) return undefined;
  if (from === null || to === null) return { field, from: from && shortened(from), to: to && shortened(to) };
  const [old, now] = [from.split('\n'), to.split('\n')];
  const { start, end } = difference(old, now);
  const changed = (lines: readonly string[]): string => shortened(lines.slice(start, lines.length - end).join('\n'));
  return { field, from: changed(old), to: changed(now) };
}

export const numberText = (value: number | null): string | null => (value === null ? null : String(value));

interface Work {
  readonly assigneeId: number | null;
  readonly dueDate: string | null;
  readonly labels: readonly string[];
  readonly references: readonly string[];
  readonly allowUnsafe: boolean;
}

/** Changes of assignee, due date, labels and other work fields, under their names in the API. */
export const workChanges = (from: Work, to: Work): readonly FieldChange[] =>
  [
    fieldChange('assignee_id', numberText(from.assigneeId), numberText(to.assigneeId)),
    fieldChange('due_date', from.dueDate, to.dueDate),
    fieldChange('labels', from.labels.join(', ') || null, to.labels.join(', ') || null),
    fieldChange('references', from.references.join('\n') || null, to.references.join('\n') || null),
    fieldChange('allow_unsafe', String(from.allowUnsafe), String(to.allowUnsafe)),
  ].filter((change) => change !== undefined);

const OF_WORK: ReadonlySet<string> = new Set(['assignee_id', 'due_date', 'labels', 'attachments']);

/** Whether all changes are about who fixes it and by when, not about the finding itself. */
export const isAboutWork = (changes: readonly FieldChange[]): boolean =>
  changes.every(({ field }) => OF_WORK.has(field));

/** The part in which two texts differ. The text before and after it is the same in both. */
export interface ChangedPart {
  readonly before: string;
  readonly from: string;
  readonly to: string;
  readonly after: string;
}

/** Compares whole words. */
export function changedPart(from: string, to: string): ChangedPart {
  const [old, now] = [wordsOf(from), wordsOf(to)];
  const { start, end } = difference(old, now);
  const part = (words: readonly string[]): string => words.slice(start, words.length - end).join('');
  return {
    before: old.slice(0, start).join(''),
    from: part(old),
    to: part(now),
    after: old.slice(old.length - end).join(''),
  };
}

const wordsOf = (text: string): string[] => text.match(/\s+|\S+/gu) ?? [];

/** The number of equal parts at the start and at the end. */
function difference(old: readonly string[], now: readonly string[]): { start: number; end: number } {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return { start, end };
}
