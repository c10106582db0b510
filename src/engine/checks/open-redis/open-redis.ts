import { sound, type TcpCheck, unclear, weak } from '../../check';

const line = (reply: Buffer): boolean => reply.includes('\r\n');

/** A bulk string (`$5\r\nhello\r\n`), or one line where the server does not want to say. */
function bulk(reply: Buffer): boolean {
  const [, length] = /^\$(\d{1,7})\r\n/.exec(reply.toString('latin1', 0, 16)) ?? [];
  return length === undefined ? line(reply) : reply.length >= `$${length}\r\n`.length + Number(length) + 2;
}

/** How Redis and its kin say no to a stranger. Any other error may be a proxy's or a passing one. */
const REFUSALS = ['-NOAUTH ', '-DENIED ', '-NOPERM '];

export const openRedis: TcpCheck = {
  id: 'open-redis',
  title: 'A Redis server answers without a password',
  severity: 'critical',
  cwe: 306,
  text: `The server takes commands from anybody who can reach its port: all data can be read, changed and deleted, and on many
systems the server can be made to write files and so to run code.

**How to mend it.** Bind Redis to the addresses that need it (\`bind 127.0.0.1\`), set a password (\`requirepass\`) or users with
ACLs, leave \`protected-mode\` on, and keep the port closed to the Internet. A closed port alone cannot be confirmed from here:
it looks like a server that is down.`,
  on: 'tcp',
  ports: [6379],
  async observe({ probe }) {
    const [ping = '', info = ''] = (
      await probe.tcp([
        { send: 'PING\r\n', complete: line },
        { send: 'INFO server\r\n', complete: bulk },
      ])
    ).map(String);
    if (ping === '+PONG\r\n') {
      const version = /^redis_version:([\w.-]{1,40})/m.exec(info)?.[1];
      return weak(
        `It answers PING with PONG to a stranger${version === undefined ? '' : `, and says that it is version ${version}`}.`,
      );
    }
    if (REFUSALS.some((refusal) => ping.startsWith(refusal))) return sound('The server demands authentication');
    return unclear('what answers on this port does not speak as Redis does');
  },
};
