import type { Socket } from 'node:net';
import type { Service } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { openMongodb } from './open-mongodb';

const bytes = (text: string): Buffer => Buffer.from(text, 'base64');

/** Documents encoded by MongoDB's own BSON library, so that our encoder is not tested with itself. */
const ASKED = [
  // { hello: 1, $db: 'admin' }
  bytes('HwAAABBoZWxsbwABAAAAAiRkYgAGAAAAYWRtaW4AAA=='),
  // { listDatabases: 1, nameOnly: true, $db: 'admin' }
  bytes('MgAAABBsaXN0RGF0YWJhc2VzAAEAAAAIbmFtZU9ubHkAAQIkZGIABgAAAGFkbWluAAA='),
  // { listCollections: 1, nameOnly: true, $db: 'admin' }
  bytes('NAAAABBsaXN0Q29sbGVjdGlvbnMAAQAAAAhuYW1lT25seQABAiRkYgAGAAAAYWRtaW4AAA=='),
];
// { helloOk: true, isWritablePrimary: true, topologyVersion: { ... }, ... localTime, ... maxWireVersion: 21, ..., ok: 1.0 }
const HELLO = bytes(
  'LgEAAAhoZWxsb09rAAEIaXNXcml0YWJsZVByaW1hcnkAAQN0b3BvbG9neVZlcnNpb24ALQAAAAdwcm9jZXNzSWQAaR8KGyw9Tl9gcYKTEmNvdW50ZXIAAAAAAAAAAAAAEG1heEJzb25PYmplY3RTaXplAAAAAAEQbWF4TWVzc2FnZVNpemVCeXRlcwAAbNwCEG1heFdyaXRlQmF0Y2hTaXplAKCGAQAJbG9jYWxUaW1lAAAYZ/uhAQAAEGxvZ2ljYWxTZXNzaW9uVGltZW91dE1pbnV0ZXMAHgAAABBjb25uZWN0aW9uSWQABwAAABBtaW5XaXJlVmVyc2lvbgAAAAAAEG1heFdpcmVWZXJzaW9uABUAAAAIcmVhZE9ubHkAAAFvawAAAAAAAADwPwA=',
);
// { ok: 0.0, errmsg: "no such command: 'hello'", code: 59, codeName: 'CommandNotFound' }
const NO_HELLO = bytes(
  'XgAAAAFvawAAAAAAAAAAAAJlcnJtc2cAGQAAAG5vIHN1Y2ggY29tbWFuZDogJ2hlbGxvJwAQY29kZQA7AAAAAmNvZGVOYW1lABAAAABDb21tYW5kTm90Rm91bmQAAA==',
);
// { databases: [{ name: 'admin' }, ... 'config', 'local', 'shop'], ok: 1.0, $clusterTime: { ... }, operationTime }
const LISTED = bytes(
  '/gAAAARkYXRhYmFzZXMAZQAAAAMwABUAAAACbmFtZQAGAAAAYWRtaW4AAAMxABYAAAACbmFtZQAHAAAAY29uZmlnAAADMgAVAAAAAm5hbWUABgAAAGxvY2FsAAADMwAUAAAAAm5hbWUABQAAAHNob3AAAAABb2sAAAAAAAAA8D8DJGNsdXN0ZXJUaW1lAFgAAAARY2x1c3RlclRpbWUAAQAAACDtH2kDc2lnbmF0dXJlADMAAAAFaGFzaAAUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEmtleUlkAAAAAAAAAAAAAAARb3BlcmF0aW9uVGltZQABAAAAIO0faQA=',
);
// { databases: [], ok: 1.0 }
const EMPTY = bytes('IQAAAARkYXRhYmFzZXMABQAAAAABb2sAAAAAAAAA8D8A');
// { ok: 0.0, errmsg: 'command listDatabases requires authentication', code: 13, codeName: 'Unauthorized' }
const REFUSED = bytes(
  'cAAAAAFvawAAAAAAAAAAAAJlcnJtc2cALgAAAGNvbW1hbmQgbGlzdERhdGFiYXNlcyByZXF1aXJlcyBhdXRoZW50aWNhdGlvbgAQY29kZQANAAAAAmNvZGVOYW1lAA0AAABVbmF1dGhvcml6ZWQAAA==',
);
// { ok: 0.0, errmsg: 'node is recovering', code: 13436, codeName: 'NotPrimaryOrSecondary' }
const BUSY = bytes(
  'XgAAAAFvawAAAAAAAAAAAAJlcnJtc2cAEwAAAG5vZGUgaXMgcmVjb3ZlcmluZwAQY29kZQB8NAAAAmNvZGVOYW1lABYAAABOb3RQcmltYXJ5T3JTZWNvbmRhcnkAAA==',
);

function message(document: Buffer, answers: number, operation = 2013): Buffer {
  const head = Buffer.alloc(21);
  [head.length + document.length, 77, answers, operation].forEach((value, at) => head.writeInt32LE(value, 4 * at));
  return Buffer.concat([head, document]);
}

type Frame = (document: Buffer, request: number) => Buffer;
type Deliver = (socket: Socket, answer: Buffer) => void;

/** Answers the three commands if they are encoded correctly, and otherwise closes the connection. */
const answering =
  (
    hello: Buffer,
    list: Buffer,
    frame: Frame = message,
    deliver: Deliver = (socket, answer) => void socket.write(answer),
    collections: Buffer = list,
  ): Service =>
  (socket) =>
    void socket.on('data', (data) => {
      const asked = ASKED.findIndex((document) => data.subarray(21).equals(document));
      const proper = data.readInt32LE(0) === data.length && data.readInt32LE(12) === 2013;
      if (asked < 0 || !proper) socket.end();
      else deliver(socket, frame([hello, list, collections][asked] ?? list, data.readInt32LE(4)));
    });

const inPieces: Deliver = (socket, answer) =>
  void socket.write(answer.subarray(0, 3), () => socket.write(answer.subarray(3)));
const cutShort: Deliver = (socket, answer) => void socket.end(answer.subarray(0, 60));

const broken = (at: number, value: number): Buffer => {
  const copy = Buffer.from(REFUSED);
  copy[at] = value;
  return copy;
};

truthTable(openMongodb, {
  vulnerable: answering(HELLO, LISTED),
  fixed: answering(HELLO, REFUSED),
  alsoVulnerable: {
    'it is older than hello': answering(NO_HELLO, LISTED),
    'it answers in pieces': answering(HELLO, LISTED, message, inPieces),
    'it refuses its databases alone': answering(HELLO, REFUSED, message, undefined, LISTED),
  },
  alsoFixed: { 'it is older than hello': answering(NO_HELLO, REFUSED) },
  lookalikes: {
    'it lists nothing': answering(HELLO, EMPTY),
    'it is not ready': answering(HELLO, BUSY),
    'it does not say hello': answering(EMPTY, REFUSED),
    'it answers something else': answering(HELLO, REFUSED, (document) => message(document, 99)),
    'it answers in another way': answering(HELLO, REFUSED, (document, request) => message(document, request, 1)),
    'a length in its answer is too large': answering(HELLO, broken(24, 0xff)),
    'a length in its answer is negative': answering(HELLO, broken(27, 0xff)),
    'a kind in its answer is unknown': answering(HELLO, broken(4, 0x66)),
    'its answer does not end': answering(HELLO, broken(REFUSED.length - 1, 1)),
    'its answer is cut short': answering(HELLO, REFUSED, message, cutShort),
    'its answer says that it is shorter': answering(HELLO, REFUSED.subarray(0, 20)),
    'its answer is too long': answering(HELLO, Buffer.alloc(70_000)),
  },
});
