import { sound, type TcpCheck, unclear, weak } from '../../check';

/**
 * "Do nothing" in the binary protocol, which needs a login where there are any. Its second byte is a line feed: servers that
 * take text only read an empty command and answer in text.
 */
const NOTHING = Buffer.from(`800a${'00'.repeat(22)}`, 'hex');
const BINARY_REPLY = 0x81;
const NO_LOGIN = 0x20;
const HEAD = 24;

const line = (reply: Buffer): boolean => reply.includes('\r\n');
const lineOrFrame = (reply: Buffer): boolean =>
  reply[0] === BINARY_REPLY ? reply.length >= HEAD && reply.length >= HEAD + reply.readUInt32BE(8) : line(reply);

const REFUSAL = 'CLIENT_ERROR unauthenticated\r\n';

export const openMemcached: TcpCheck = {
  id: 'open-memcached',
  title: 'A Memcached server answers without a password',
  severity: 'high',
  cwe: 306,
  text: `The server takes commands from anybody who can reach its port: cached data (often sessions and personal data) can be read,
replaced and deleted. With UDP on, it also multiplies the traffic of attacks on others.

**How to mend it.** Let Memcached listen only where it is needed (\`-l 127.0.0.1\`), switch UDP off (\`-U 0\`), keep the port closed
to the Internet, and demand a login: \`-Y\` with a file of users, or SASL with \`-S\`. A closed port alone cannot be confirmed
from here: it looks like a server that is down.`,
  on: 'tcp',
  ports: [11211],
  async observe({ probe }) {
    const [first = Buffer.alloc(0)] = await probe.tcp([{ send: NOTHING, complete: lineOrFrame }]);
    if (first[0] === BINARY_REPLY && first[1] === NOTHING[1]) {
      const status = first.readUInt16BE(6);
      if (status === 0) return weak('It carries out a binary command for a stranger.');
      return status === NO_LOGIN ? sound('The server demands a login') : unclear(`the server answers with ${status}`);
    }
    if (first.equals(Buffer.from(REFUSAL))) return sound('The server demands a login');
    const [second = ''] = (await probe.tcp([{ send: 'version\r\n', complete: line }])).map(String);
    const version = /^VERSION ([\w.-]{1,40})\r\n$/.exec(second)?.[1];
    if (version !== undefined) return weak(`It tells a stranger that it is version ${version}.`);
    return second === REFUSAL
      ? sound('The server demands a login')
      : unclear('what answers on this port does not speak as Memcached does');
  },
};
