const TOKENS = /(?<text>"[^"\\]*(?:\\.[^"\\]*)*")(?<colon>\s*:)?|(?<opening>[{[])|(?<closing>[}\]])/g;

/** Parses JSON in which no object has a name twice: parsers differ in which of the two they use. */
export function parseUnambiguousJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('The document is not JSON.');
  }
  const open: Set<unknown>[] = [];
  for (const { groups: { text: name, colon, opening, closing } = {} } of text.matchAll(TOKENS)) {
    if (opening !== undefined) open.push(new Set());
    if (closing !== undefined) open.pop();
    if (name === undefined || colon === undefined) continue;
    const key: unknown = JSON.parse(name);
    if (open.at(-1)?.has(key) === true) throw new Error('The document has a name twice in one object.');
    open.at(-1)?.add(key);
  }
  return value;
}
