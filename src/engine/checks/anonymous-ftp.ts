import { randomBytes, randomInt } from 'node:crypto';
import { notVulnerable, type TcpCheck, inconclusive, vulnerable } from '../check';

/** The last line of each reply that is there as a whole: where there are several lines, the one with a blank after the code. */
function repliesIn(bytes: Buffer): string[] {
  const replies: string[] = [];
  let code: string | null = null;
  for (const line of bytes.toString().split(/\r?\n/).slice(0, -1)) {
    if (code === null && /^\d{3}-/.test(line)) code = line.slice(0, 3);
    if (code !== null && !line.startsWith(`${code} `)) continue;
    replies.push(line);
    code = null;
  }
  return replies;
}

const GREETING = '220 ';

/** The greeting and an answer; or what is no greeting, alone. */
function greetedAndAnswered(bytes: Buffer): boolean {
  const [first, second] = repliesIn(bytes);
  return second !== undefined || (first !== undefined && !first.startsWith(GREETING));
}

const LOGGED_IN = '230 ';
const PASSWORD_WANTED = '331 ';
const REFUSED = '530 ';

/** Refusals that have to do with the moment or the line, and not with who wants to log in. */
const OTHER_REASONS =
  /tls|ssl|encrypt|too many|maximum|limit|busy|later|temporar|unavailable|\bban|block|your (?:ip|host|address)/i;

/** An address as password, as the protocol asks for, and another one each time: some are let in by it, or kept out. */
const guest = (): string =>
  `${['anonymous', 'guest', 'ftp', randomBytes(4).toString('hex')][randomInt(4)]}@example.com`;

export const anonymousFtp: TcpCheck = {
  id: 'anonymous-ftp',
  title: 'An FTP server lets anybody log in',
  severity: 'medium',
  cwe: 306,
  text: `The server takes the user \`anonymous\` with any password. Everybody can list and fetch what lies there, and sometimes leave
files: sites for stolen goods and malware are made of such servers.

**How to fix it.** If nothing is meant to be public there, switch anonymous logins off, in vsftpd \`anonymous_enable=NO\`, in
ProFTPD by removing the \`<Anonymous>\` section; better still, use SFTP. If it is meant to be public, make sure that nothing
can be written and that nothing else lies there, and accept the risk here.`,
  on: 'tcp',
  ports: [21, 2121],
  async observe({ probe }) {
    const [opening = Buffer.alloc(0), rest = Buffer.alloc(0)] = await probe.tcp([
      // At once, and not after the greeting: services of other kinds wait for a word of ours and would be waited for.
      { send: 'USER anonymous\r\n', complete: greetedAndAnswered },
      { send: `PASS ${guest()}\r\n`, complete: (reply) => repliesIn(reply).length > 0 },
    ]);
    const [greeting = '', user = ''] = repliesIn(opening);
    const [password = ''] = repliesIn(rest);
    if (!greeting.startsWith(GREETING)) return inconclusive('what answers on this port does not speak as FTP does');
    const last = user.startsWith(PASSWORD_WANTED) ? password : user;
    if (last.startsWith(LOGGED_IN)) return vulnerable(`It lets the user "anonymous" in: ${last}`);
    return last.startsWith(REFUSED) && !OTHER_REASONS.test(last)
      ? notVulnerable(`The server does not let the user "anonymous" in (${last})`)
      : inconclusive(`the server neither lets the user "anonymous" in nor refuses to: ${last}`);
  },
};
