/** A field that a person has edited, as its history shows it: of long texts only the lines around the change. */
export interface FieldChange {
  readonly field: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** Of each side. The whole new text is in the finding. */
const MAX_SHOWN = 4_000;

const shortened = (text: string): string => (text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)} …`);

/** Undefined if nothing changed. */
export function fieldChange(field: string, from: string | null, to: string | null): FieldChange | undefined {
  if (from === to) return undefined;
  if (from === null || to === null) return { field, from: from && shortened(from), to: to && shortened(to) };
  const [old, now] = [from.split('\n'), to.split('\n')];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const changed = (lines: readonly string[]): string => shortened(lines.slice(start, lines.length - end).join('\n'));
  return { field, from: changed(old), to: changed(now) };
}

export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Longer texts are shown as a whole, old and new: the table below has a cell for each pair of words. */
const MAX_WORDS = 500;

const wordsOf = (text: string): string[] => text.match(/\s+|[^\s]+/gu) ?? [];

/** Both texts as one, word by word. */
export function diffOfWords(from: string, to: string): DiffPart[] {
  const [old, now] = [wordsOf(from), wordsOf(to)];
  const whole = [
    { kind: 'removed' as const, text: from },
    { kind: 'added' as const, text: to },
  ].filter(({ text }) => text !== '');
  if (old.length > MAX_WORDS || now.length > MAX_WORDS) return whole;
  const longest = old.map(() => new Uint16Array(now.length + 1));
  longest.push(new Uint16Array(now.length + 1));
  const at = (row: number, column: number): number => longest[row]?.[column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = now.length - 1; column >= 0; column--)
      (longest[row] as Uint16Array)[column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const parts: { kind: DiffPart['kind']; text: string }[] = [];
  const add = (kind: DiffPart['kind'], text: string | undefined): void => {
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += text ?? '';
    else parts.push({ kind, text: text ?? '' });
  };
  for (let row = 0, column = 0; row < old.length || column < now.length;) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      add('same', old[row++]);
      column++;
    } else if (row < old.length && (column === now.length || at(row + 1, column) >= at(row, column + 1))) {
      add('removed', old[row++]);
    } else {
      add('added', now[column++]);
    }
  }
  return parts;
}
