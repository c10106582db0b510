/** The output of `JSON.stringify` in pieces: each member of a list is a piece. */
export function* jsonChunks(value: unknown): Generator<string, undefined> {
  if (Array.isArray(value)) yield* listPieces(value);
  else if (isPlain(value)) yield* objectPieces(value);
  else yield JSON.stringify(value) ?? 'null';
}

function* listPieces(items: readonly unknown[]): Generator<string, undefined> {
  let before = '[';
  for (const item of items) {
    yield before + (JSON.stringify(item) ?? 'null');
    before = ',';
  }
  yield items.length === 0 ? '[]' : ']';
}

function* objectPieces(value: Readonly<Record<string, unknown>>): Generator<string, undefined> {
  let before = '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* jsonChunks(member);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
