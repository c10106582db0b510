import { notVulnerable, type TcpCheck, inconclusive, vulnerable } from '../check';
import { type Document, readDocument } from '../protocols/services/bson';
import { isMongoHello, isWholeMongoMessage, mongoAnswer, mongoCommand } from '../protocols/services/mongo-message';

const HELLO = 1;
const LIST = 2;
const COLLECTIONS = 3;
const UNAUTHORIZED = 13;
const MOST_NAMES = 10;

function namesIn(answer: Document): string[] {
  const list = answer.get('databases');
  const databases = Buffer.isBuffer(list) ? readDocument(list) : null;
  return [...(databases?.values() ?? [])]
    .map((database) => (Buffer.isBuffer(database) ? readDocument(database)?.get('name') : undefined))
    .filter((name) => typeof name === 'string');
}

const isRefusal = (answer: Document): boolean => answer.get('ok') === 0 && answer.get('code') === UNAUTHORIZED;

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
  text: `Anyone who can reach the port can read, change and delete all data. Attackers find such servers
within hours, delete the data and demand a ransom.

**How to fix it.** Create an administrator, enable authorization (\`security.authorization: enabled\`), let the server
listen only where it is needed (\`net.bindIp\`), and keep the port closed to the Internet. A server that speaks TLS only, or
none that can be reached any more, cannot be confirmed from here: both look like a server that is down.`,
  on: 'tcp',
  ports: [27017, 27018, 27019],
  async observe({ probe }) {
    const [hello, listed, collections] = await probe.tcp([
      { send: mongoCommand(HELLO, 'hello'), complete: isWholeMongoMessage },
      { send: mongoCommand(LIST, 'listDatabases', { nameOnly: true }), complete: isWholeMongoMessage },
      { send: mongoCommand(COLLECTIONS, 'listCollections', { nameOnly: true }), complete: isWholeMongoMessage },
    ]);
    const answer = listed ? mongoAnswer(LIST, listed) : null;
    if (answer === null || !hello || !isMongoHello(mongoAnswer(HELLO, hello)))
      return inconclusive('the service on this port does not respond like MongoDB');
    const second = collections ? mongoAnswer(COLLECTIONS, collections) : null;
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
