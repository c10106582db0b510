import { answerOf, type Found, type Position, positionOf } from './answer';

const BEGINNING: Position = { skip: 0, at: 0 };
const bytesOf = ({ content, structured }: ReturnType<typeof answerOf>): number =>
  Buffer.byteLength(content) + Buffer.byteLength(JSON.stringify(structured));

/** Reads to the end, and requires of each answer that it is short enough and continues the one before. */
function readAll(found: Found) {
  const ids: unknown[] = [];
  let text = '';
  let from: Position | undefined = BEGINNING;
  for (let turn = 0; from !== undefined; turn += 1) {
    const answer = answerOf(found, from);
    expect(bytesOf(answer)).toBeLessThanOrEqual(24_000);
    ids.push(...answer.structured.records.map(({ id }) => id));
    text += answer.structured.text ?? '';
    const { next_cursor: cursor } = answer.structured;
    const next: Position | undefined = cursor === null ? undefined : positionOf(cursor);
    expect(next).not.toEqual(from);
    expect(turn).toBeLessThan(200);
    from = next;
  }
  return { ids, text };
}

const backticks = '`'.repeat(40_000);
const long = { id: 1, title: '`'.repeat(1_000), services: Array.from({ length: 30 }, () => '😀'.repeat(1_000)) };

it.each([
  ['a row of backticks, which makes the fence long', backticks],
  ['control characters', '\u0001"\\\n'.repeat(20_000)],
  ['characters of four bytes', '😀'.repeat(30_000)],
])('has at most 24,000 bytes, and continues to the end of %s', (_what, text) => {
  const { text: read } = readAll({ heading: 'A.', records: [{ id: 1 }], text });
  expect(Array.from(read)).toHaveLength(Array.from(text).length);
});

it('shortens a record that does not fit alone, and continues its text and the records after it', () => {
  const { ids } = readAll({ heading: 'A.', records: [long, { id: 2 }, { ...long, id: 3 }, { id: 4 }] });
  expect(ids).toEqual([1, 2, 3, 4]);
  const [first] = answerOf({ heading: 'A.', records: [long] }, BEGINNING).structured.records;
  expect(first).toMatchObject({ id: 1, services: expect.arrayContaining(['…']) });
  expect(readAll({ heading: 'A.', records: [long], text: backticks }).text).toBe(backticks);
});
