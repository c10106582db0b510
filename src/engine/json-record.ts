import { isRecord, type JsonRecord } from '../kernel/is-record';

/** Expected responses are far smaller, and `JSON.parse` blocks the event loop. */
const MAX_LENGTH = 300_000;

/** Parses the text as a JSON object; null if it is not one. */
export function recordIn(text: string, longest = MAX_LENGTH): JsonRecord | null {
  if (text.length > longest) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
