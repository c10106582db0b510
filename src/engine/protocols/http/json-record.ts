export type JsonRecord = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Answers of its kind are far smaller, and nobody else gets a turn while one is read. */
const MAX_LENGTH = 300_000;

/** What a text says if it is a JSON object, and nothing otherwise. */
export function recordIn(text: string): JsonRecord | null {
  if (text.length > MAX_LENGTH) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
