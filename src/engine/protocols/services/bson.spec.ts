import { readDocument, writeDocument } from './bson';

/** A document with one element: its type, the name `a`, and the rest. */
function document(kind: number, ...value: number[]): Buffer {
  const elements = Buffer.from([kind, 0x61, 0, ...value, 0]);
  const length = Buffer.alloc(4);
  length.writeInt32LE(4 + elements.length);
  return Buffer.concat([length, elements]);
}

describe('BSON', () => {
  it('reads what it writes', () => {
    const content = { number: -7, text: 'Grüße', flag: true };
    expect(readDocument(writeDocument(content))).toEqual(new Map(Object.entries({ ...content, flag: null })));
  });

  it.each([
    ['a double', document(0x01, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f), 1],
    ['a text', document(0x02, 2, 0, 0, 0, 0x62, 0), 'b'],
    ['a document', document(0x03, 5, 0, 0, 0, 0), Buffer.from([5, 0, 0, 0, 0])],
    ['bytes', document(0x05, 1, 0, 0, 0, 0, 0xff), null],
    ['an identifier', document(0x07, ...Buffer.alloc(12)), null],
    ['nothing', document(0x0a), null],
    ['a small number', document(0x10, 0xfe, 0xff, 0xff, 0xff), -2],
  ])('reads %s', (_what, bytes, value) => {
    expect(readDocument(bytes)).toEqual(new Map([['a', value]]));
  });

  it.each([
    ['is empty', Buffer.alloc(0)],
    ['says that it is longer', Buffer.from([6, 0, 0, 0, 0])],
    ['does not end', Buffer.from([5, 0, 0, 0, 1])],
    ['has an element without an end of its name', Buffer.from([8, 0, 0, 0, 0x10, 0x61, 0x61, 0])],
    ['has a number cut short', document(0x10, 1, 0, 0)],
    ['has a document that is smaller than any', document(0x03, 0, 0, 0, 0, 0)],
    ['has a document whose length leads back to where it began', document(0x03, 0xfd, 0xff, 0xff, 0xff, 0)],
    ['has a document that reaches over its end', document(0x03, 6, 0, 0, 0, 0)],
    ['has a text of negative length', document(0x02, 0xfb, 0xff, 0xff, 0xff, 0x62, 0)],
    ['has a text that reaches over its end', document(0x02, 3, 0, 0, 0, 0x62, 0)],
    ['has an element of unknown kind', document(0x66)],
  ])('returns null for bytes that %s', (_what, bytes) => {
    expect(readDocument(bytes)).toBeNull();
  });
});
