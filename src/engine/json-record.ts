import { isRecord, type JsonRecord } from '../kernel/is-record';

/** Expected responses are far smaller, and `JSON.parse` blocks the event loop. */
const MAX_LENGTH = 300_000;

/** The text as a JSON object; null when it is none. */
export function recordIn(text: string, longest = MAX_LENGTH): JsonRecord | null {
  if (text.length > longest) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
