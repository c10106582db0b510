/** After short members, several are one piece: a page of 50 findings takes a quarter less time on Node 20, a tenth on Node 24. */
const MAX_SHORT_LENGTH = 8_192;
const SHORT_MEMBERS = 16;

/** Shorter values are one piece. Cutting a page of 50 findings would take 30 to 40 µs more. */
const MAX_WHOLE_LENGTH = 131_072;

/** The output of `JSON.stringify` in pieces: each long member of a list is a piece. */
export function* jsonChunks(value: unknown): Generator<string, undefined> {
  if (rest(value, MAX_WHOLE_LENGTH) > 0) yield JSON.stringify(value) ?? 'null';
  else yield* pieces(value);
}

/** About how much of a length is left after a value. Recurses only into objects: doing so for each text takes twice the time. */
const rest = (value: unknown, length: number): number => {
  if (typeof value === 'string') return length - value.length;
  return typeof value === 'object' && value !== null ? restAfterMembers(value, length) : length - 8;
};

/** Stops reading when nothing is left. */
function restAfterMembers(value: object, length: number): number {
  let left = length;
  if (Array.isArray(value)) for (let at = 0; at < value.length && left > 0; at++) left = rest(value[at], left);
  else for (const name in value) left = rest((value as Record<string, unknown>)[name], left);
  return left;
}

function* pieces(value: unknown): Generator<string, undefined> {
  if (Array.isArray(value)) yield* listPieces(value);
  else if (isPlain(value)) yield* objectPieces(value);
  else yield JSON.stringify(value) ?? 'null';
}

function* listPieces(items: readonly unknown[]): Generator<string, undefined> {
  let before = '[';
  let size = 1;
  for (let at = 0; at < items.length;) {
    const group = items.slice(at, at + size);
    const text = JSON.stringify(group);
    yield before + text.slice(1, -1);
    before = ',';
    at += group.length;
    size = text.length < MAX_SHORT_LENGTH * group.length ? SHORT_MEMBERS : 1;
  }
  yield items.length === 0 ? '[]' : ']';
}

function* objectPieces(value: Readonly<Record<string, unknown>>): Generator<string, undefined> {
  let before = '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* pieces(member);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
