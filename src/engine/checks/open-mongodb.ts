import { notVulnerable, type TcpCheck, inconclusive, vulnerable } from '../check';
import { type Document, int32, readDocument, writeDocument } from '../protocols/services/bson';

const HELLO = 1;
const LIST = 2;
const COLLECTIONS = 3;
const UNAUTHORIZED = 13;
const UNKNOWN_COMMAND = 59;
const MOST_NAMES = 10;

/** Servers before 4.4 do not know `hello` and return an error. */
const isMongo = (hello: Document | null): boolean =>
  typeof hello?.get('maxWireVersion') === 'number' || hello?.get('code') === UNKNOWN_COMMAND;

function namesIn(answer: Document): string[] {
  const list = answer.get('databases');
  const databases = Buffer.isBuffer(list) ? readDocument(list) : null;
  return [...(databases?.values() ?? [])]
    .map((database) => (Buffer.isBuffer(database) ? readDocument(database)?.get('name') : undefined))
    .filter((name) => typeof name === 'string');
}

const isRefusal = (answer: Document): boolean => answer.get('ok') === 0 && answer.get('code') === UNAUTHORIZED;

const OP_MSG = 2013;
/** Length, request id, response to, operation code; then flags and the kind of section. */
const HEAD = 16;
const BODY = HEAD + 5;
/** Longer than any expected response. */
const LONGEST = 65_536;

/** A command to the server, as a message with one section. */
function command(number: number, name: string, options: Readonly<Record<string, boolean>> = {}): Buffer {
  const document = writeDocument({ [name]: 1, ...options, $db: 'admin' });
  const length = BODY + document.length;
  return Buffer.concat([int32(length), int32(number), int32(0), int32(OP_MSG), Buffer.alloc(5), document]);
}

/** Whether the message is complete. Bytes that cannot be a message count as complete. */
function isWhole(reply: Buffer): boolean {
  if (reply.length < 4) return false;
  const length = reply.readInt32LE(0);
  return length < BODY || length > LONGEST || reply.length >= length;
}

/** The document in the response to the message with this number; null when it is no such response. */
function answerTo(number: number, reply: Buffer): Document | null {
  if (reply.length < BODY + 4 || reply.readInt32LE(0) !== reply.length) return null;
  if (reply.readInt32LE(8) !== number || reply.readInt32LE(12) !== OP_MSG || reply[HEAD + 4] !== 0) return null;
  // A checksum may follow the document.
  return readDocument(reply.subarray(BODY, BODY + reply.readInt32LE(BODY)));
}

export const openMongodb: TcpCheck = {
  id: 'open-mongodb',
  title: 'A MongoDB server answers without a password',
  severity: 'critical',
  cwe: [306],
  owasp: ['A07:2021', 'A07:2025'],
  wstg: [],
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  references: ['https://www.mongodb.com/docs/manual/administration/security-checklist/'],
  decides:
    'Connects and sends `hello`, `listDatabases` and `listCollections` without a login. It is vulnerable if the server lists its databases or collections. It is fixed when the server refuses both lists for lack of a login; a closed port is inconclusive.',
  text: `Anyone who can reach the port can read all data, change them and delete them. Attackers find such servers
within hours, delete the data and demand a ransom.

**How to fix it.** Create an administrator, enable authorization (\`security.authorization: enabled\`), let the server
listen only where it is needed (\`net.bindIp\`), and keep the port closed to the Internet. A server that speaks TLS only, or
none that can be reached any more, cannot be confirmed from here: both look like a server that is down.`,
  on: 'tcp',
  ports: [27017, 27018, 27019],
  async observe({ probe }) {
    const [hello, listed, collections] = await probe.tcp([
      { send: command(HELLO, 'hello'), complete: isWhole },
      { send: command(LIST, 'listDatabases', { nameOnly: true }), complete: isWhole },
      { send: command(COLLECTIONS, 'listCollections', { nameOnly: true }), complete: isWhole },
    ]);
    const answer = listed ? answerTo(LIST, listed) : null;
    if (answer === null || !hello || !isMongo(answerTo(HELLO, hello)))
      return inconclusive('the service on this port does not respond like MongoDB');
    const second = collections ? answerTo(COLLECTIONS, collections) : null;
    if (isRefusal(answer) && second?.get('ok') === 1)
      return vulnerable('It lists collections to anonymous clients, but no databases.');
    if (isRefusal(answer) && second !== null && isRefusal(second)) return notVulnerable('The server demands a login');
    const names = namesIn(answer);
    if (answer.get('ok') !== 1 || names.length === 0)
      return inconclusive('the server neither lists its databases nor demands a login');
    return vulnerable(
      `It lists its ${names.length} databases to anonymous clients: ${names.slice(0, MOST_NAMES).join(', ')}.`,
    );
  },
};
