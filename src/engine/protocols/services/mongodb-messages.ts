import { type Document, int32, readDocument, writeDocument } from './bson';

const OP_MSG = 2013;
/** Length, number of this message and of the one that it answers, operation; then flags, and the kind of section. */
const HEAD = 16;
const BODY = HEAD + 5;
/** Longer than any answer that is waited for. */
const LONGEST = 65_536;

/** A command to the server, as a message with one section. */
export function command(number: number, name: string, options: Readonly<Record<string, boolean>> = {}): Buffer {
  const document = writeDocument({ [name]: 1, ...options, $db: 'admin' });
  const length = BODY + document.length;
  return Buffer.concat([int32(length), int32(number), int32(0), int32(OP_MSG), Buffer.alloc(5), document]);
}

/** Whether a message is there as a whole; what cannot be one is complete at once. */
export function isWhole(reply: Buffer): boolean {
  if (reply.length < 4) return false;
  const length = reply.readInt32LE(0);
  return length < BODY || length > LONGEST || reply.length >= length;
}

/** What a message says that answers the one of this number; null when it is none. */
export function answerTo(number: number, reply: Buffer): Document | null {
  if (reply.length < BODY + 4 || reply.readInt32LE(0) !== reply.length) return null;
  if (reply.readInt32LE(8) !== number || reply.readInt32LE(12) !== OP_MSG || reply[HEAD + 4] !== 0) return null;
  // A checksum may follow the document.
  return readDocument(reply.subarray(BODY, BODY + reply.readInt32LE(BODY)));
}
