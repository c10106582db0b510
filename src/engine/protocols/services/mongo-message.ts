import { type Document, int32, readDocument, writeDocument } from './bson';

const OP_MSG = 2013;
/** Length, request id, response to, operation code; then flags and the kind of section. */
const HEAD = 16;
const BODY = HEAD + 5;
/** Longer than any expected response. */
const LONGEST = 65_536;

/** A command to the server, as a message with one section. */
export function mongoCommand(number: number, name: string, options: Readonly<Record<string, boolean>> = {}): Buffer {
  const document = writeDocument({ [name]: 1, ...options, $db: 'admin' });
  const length = BODY + document.length;
  return Buffer.concat([int32(length), int32(number), int32(0), int32(OP_MSG), Buffer.alloc(5), document]);
}

/** Whether the message is complete. Bytes that cannot be a message count as complete. */
export function isWholeMongoMessage(reply: Buffer): boolean {
  if (reply.length < 4) return false;
  const length = reply.readInt32LE(0);
  return length < BODY || length > LONGEST || reply.length >= length;
}

/** The document in the response to the message with this number; null if it is another message. */
export function mongoAnswer(number: number, reply: Buffer): Document | null {
  if (reply.length < BODY + 4 || reply.readInt32LE(0) !== reply.length) return null;
  if (reply.readInt32LE(8) !== number || reply.readInt32LE(12) !== OP_MSG || reply[HEAD + 4] !== 0) return null;
  // A checksum may follow the document.
  return readDocument(reply.subarray(BODY, BODY + reply.readInt32LE(BODY)));
}

const UNKNOWN_COMMAND = 59;

/** Whether it is a response to `hello`. Servers before 4.4 do not know the command and return an error. */
export const isMongoHello = (hello: Document | null): boolean =>
  typeof hello?.get('maxWireVersion') === 'number' || hello?.get('code') === UNKNOWN_COMMAND;
