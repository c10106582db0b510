/** For reading files whose shape is uncertain: values of an unexpected type are ignored. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Also accepts numbers, because tools disagree on how to write ids. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'number' ? String(value) : null;
}

/** A single value counts as a list of one. */
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

export const textsOf = (value: unknown): string[] =>
  listOf(value)
    .map(textOf)
    .filter((text) => text !== null);

export function joined(texts: readonly (string | null | undefined)[], separator = '\n\n'): string | null {
  const given = texts.filter((text) => text !== null && text !== undefined && text.trim() !== '');
  return given.length === 0 ? null : given.join(separator);
}

/** Wrapped in an object, so that the value `null` is not mistaken for a failure. */
export function parseJson(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}
