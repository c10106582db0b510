import { type Observation, notVulnerable, type TcpCheck, inconclusive, vulnerable } from '../check';
import type { Probe } from '../probe';

/**
 * The "no operation" of the binary protocol, which requires a login if there are any. Its second byte is a line feed, so
 * text-only servers read an empty command and answer in text.
 */
const NOTHING = Buffer.from(`800a${'00'.repeat(22)}`, 'hex');
/** "Get" of a key of five bytes. */
const GET = Buffer.concat([
  Buffer.from(`80000005${'00'.repeat(4)}00000005${'00'.repeat(12)}`, 'hex'),
  Buffer.from('assay'),
]);
const NOT_FOUND = 1;
const BINARY_REPLY = 0x81;
const NO_LOGIN = 0x20;
const HEAD = 24;

const line = (reply: Buffer): boolean => reply.includes('\r\n');
const lineOrFrame = (reply: Buffer): boolean =>
  reply[0] === BINARY_REPLY ? reply.length >= HEAD && reply.length >= HEAD + reply.readUInt32BE(8) : line(reply);

const REFUSAL = 'CLIENT_ERROR unauthenticated\r\n';

const statusOf = (reply: Buffer, command: Buffer): number | null =>
  reply[0] === BINARY_REPLY && reply[1] === command[1] ? reply.readUInt16BE(6) : null;

/** Some commands may need no login while others do. */
async function binaryObservation(first: Buffer, probe: Probe): Promise<Observation> {
  const nothing = statusOf(first, NOTHING);
  if (nothing === 0) return vulnerable('It executes a binary command without a login.');
  if (nothing !== NO_LOGIN) return inconclusive(`the server answers with ${nothing ?? 'another command'}`);
  const [second = Buffer.alloc(0)] = await probe.tcp([{ send: GET, complete: lineOrFrame }]);
  const got = statusOf(second, GET);
  if (got === 0 || got === NOT_FOUND) return vulnerable('It looks up a key without a login.');
  return got === NO_LOGIN
    ? notVulnerable('The server demands a login')
    : inconclusive('the server neither looks up a key nor refuses to');
}

async function textObservation(probe: Probe): Promise<Observation> {
  const replies = (
    await probe.tcp([
      { send: 'version\r\n', complete: line },
      { send: 'get assay\r\n', complete: line },
    ])
  ).map(String);
  const [version = '', got = ''] = replies;
  const number = /^VERSION ([\w.-]{1,40})\r\n$/.exec(version)?.[1];
  if (number !== undefined) return vulnerable(`It shows its version (${number}) without a login.`);
  if (got === 'END\r\n' || got.startsWith('VALUE ')) return vulnerable('It looks up a key without a login.');
  return replies.every((reply) => reply === REFUSAL)
    ? notVulnerable('The server demands a login')
    : inconclusive('the service on this port does not respond like Memcached');
}

export const openMemcached: TcpCheck = {
  id: 'open-memcached',
  title: 'A Memcached server answers without a password',
  severity: 'high',
  cwe: [306],
  owasp: ['A07:2021', 'A07:2025'],
  wstg: [],
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:L/A:L',
  references: ['https://docs.memcached.org/features/auth/', 'https://nvd.nist.gov/vuln/detail/CVE-2018-1000115'],
  decides:
    'Connects and sends harmless commands in the binary or text protocol without a login. It is vulnerable if the server executes one of them. It is fixed when the server refuses each command for lack of a login; a closed port is inconclusive.',
  text: `The server accepts commands from anyone who can reach its port: cached data (often sessions and personal data) can be read,
replaced and deleted. With UDP enabled, it can also amplify attacks on others.

**How to fix it.** Let Memcached listen only where it is needed (\`-l 127.0.0.1\`), disable UDP (\`-U 0\`), keep the port closed
to the Internet, and demand a login: \`-Y\` with a file of users, or SASL with \`-S\`. A closed port alone cannot be confirmed
from here: it looks like a server that is down.`,
  on: 'tcp',
  ports: [11211],
  async observe({ probe }) {
    const [first = Buffer.alloc(0)] = await probe.tcp([{ send: NOTHING, complete: lineOrFrame }]);
    return first[0] === BINARY_REPLY ? binaryObservation(first, probe) : textObservation(probe);
  },
};
