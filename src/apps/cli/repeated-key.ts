const TOKENS = /(?<text>"[^"\\]*(?:\\.[^"\\]*)*")(?<colon>\s*:)?|(?<opening>[{[])|(?<closing>[}\]])/g;

/** A key that an object in this JSON has more than once, or null. Whether it is JSON has been seen before. */
export function duplicateKeyIn(json: string): string | null {
  const open: Set<unknown>[] = [];
  for (const { groups: { text, colon, opening, closing } = {} } of json.matchAll(TOKENS)) {
    if (opening !== undefined) open.push(new Set());
    if (closing !== undefined) open.pop();
    if (text === undefined || colon === undefined) continue;
    const key: unknown = JSON.parse(text);
    if (open.at(-1)?.has(key) === true) return String(key);
    open.at(-1)?.add(key);
  }
  return null;
}
