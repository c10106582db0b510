import { notVulnerable, type TcpCheck, inconclusive, vulnerable } from '../check';
import type { TcpStep } from '../transport/tcp';

/** The index of the end of the first line, or -1. */
const lineEnd = (reply: Buffer): number => reply.indexOf('\r\n');

/** Whether the reply is complete: a bulk string (`$5\r\nhello\r\n`), or one line. */
function isWhole(reply: Buffer): boolean {
  const [, length] = /^\$(\d{1,7})\r\n/.exec(reply.toString('latin1', 0, 16)) ?? [];
  return length === undefined ? lineEnd(reply) >= 0 : reply.length >= `$${length}\r\n`.length + Number(length) + 2;
}

/** Harmless commands of different kinds, because a user may be allowed some and denied others. */
const COMMANDS = [
  'PING',
  'INFO server',
  'DBSIZE',
  'GET assay',
  'TTL assay',
  'SCAN 0 COUNT 1',
  'LASTSAVE',
  'CLIENT ID',
  'CONFIG GET port',
  'EVAL "return 1" 0',
] as const;

/** Sent before any command to clients from other hosts, after which the connection is closed. */
const DENIED = '-DENIED ';
const demandsLogin = (reply: string): boolean => reply.startsWith('-NOAUTH ');
/** Clients without a login are treated as a user who may not run this command, but perhaps others. */
const isForbidden = (reply: string): boolean => reply.startsWith('-NOPERM ');

/** One conversation, so that all commands go to the same server. */
function conversation(): TcpStep[] {
  let isDenied = false;
  return COMMANDS.map((command) => ({
    send: `${command}\r\n`,
    complete: (reply) => {
      isDenied ||= reply.toString('latin1', 0, DENIED.length) === DENIED;
      return isDenied || isWhole(reply);
    },
  }));
}

export const openRedis: TcpCheck = {
  id: 'open-redis',
  title: 'A Redis server answers without a password',
  severity: 'critical',
  cwe: [306],
  owasp: ['A07:2021', 'A07:2025'],
  wstg: [],
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  references: ['https://redis.io/docs/latest/operate/oss_and_stack/management/security/'],
  decides:
    'Connects and sends `PING` and nine other harmless commands without a login. It is vulnerable if the server executes one of them. It is fixed when the server demands a login for each command (`NOAUTH`) or is in protected mode; commands that are forbidden (`NOPERM`) and a closed port are inconclusive.',
  text: `The server accepts commands from anyone who can reach its port: all data can be read, changed and deleted, and on many
systems the server can be made to write files and so to run code.

**How to fix it.** Bind Redis to the addresses that need it (\`bind 127.0.0.1\`), set a password (\`requirepass\`) or users with
ACLs, leave \`protected-mode\` on, and keep the port closed to the Internet. A closed port alone cannot be confirmed from here:
it looks like a server that is down.`,
  on: 'tcp',
  ports: [6379],
  async observe({ probe }) {
    const replies = (await probe.tcp(conversation())).map(String);
    const [ping = '', info = ''] = replies;
    if (ping.startsWith(DENIED)) return notVulnerable('The server is in protected mode');
    if (ping === '+PONG\r\n') {
      const version = /^redis_version:([\w.-]{1,40})/m.exec(info)?.[1];
      return vulnerable(
        `It responds to PING without a login${version === undefined ? '' : ` and states version ${version}`}.`,
      );
    }
    if (replies.every(demandsLogin))
      return notVulnerable(`The server demands authentication for each of ${COMMANDS.join(', ')}`);
    const answered = COMMANDS.find((_command, at) => /^[$:+*]/.test(replies[at] ?? ''));
    if (!demandsLogin(ping) && !isForbidden(ping))
      return inconclusive('the service on this port does not respond like Redis');
    return answered === undefined
      ? inconclusive(
          'clients without a login may not run these commands, but perhaps others (NOPERM instead of NOAUTH)',
        )
      : vulnerable(`It refuses PING without a login, but executes ${answered}.`);
  },
};
