import { randomBytes, randomInt } from 'node:crypto';
import { notVulnerable, type TcpCheck, inconclusive, vulnerable } from '../check';

/** The last line of each complete reply. If a reply has several lines, that is the one with a space after the code. */
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

/** Whether the greeting and a reply have arrived, or a first line that is not a greeting. */
function greetedAndAnswered(bytes: Buffer): boolean {
  const [first, second] = repliesIn(bytes);
  return second !== undefined || (first !== undefined && !first.startsWith(GREETING));
}

const LOGGED_IN = '230 ';
const PASSWORD_WANTED = '331 ';
const REFUSED = '530 ';

/** Complete texts with which servers refuse the user. Other texts may be about load, hours, addresses or encryption. */
const REFUSALS = new Set([
  'access denied',
  'anonymous access denied',
  'anonymous access not allowed',
  'anonymous logins are not allowed',
  'anonymous login not allowed',
  'anonymous user not allowed',
  'authentication failed',
  'authentication failed, sorry',
  'incorrect user name or password',
  'invalid username or password',
  'login authentication failed',
  'login failed',
  'login incorrect',
  'login or password incorrect',
  'no anonymous login',
  'not logged in',
  'not logged in, user or password incorrect',
  'permission denied',
  'sorry, no anonymous access allowed',
  'sorry, anonymous access is not allowed',
  'this ftp server does not allow anonymous logins',
  'this ftp server is private',
  'this is a private system - no anonymous login',
  'user anonymous access denied',
  'user anonymous cannot log in',
  'user anonymous unknown',
  'user cannot log in',
]);

const isRefusal = (reply: string): boolean =>
  reply.startsWith(REFUSED) &&
  REFUSALS.has(
    reply
      .slice(REFUSED.length)
      .toLowerCase()
      .replaceAll(/["'<>]/g, '')
      .replace(/(?<![.!\s])[.!\s]+$/, '')
      .trim(),
  );

/** Uses a different email address as the password each time, because some servers accept or reject certain addresses. */
const guest = (): string =>
  `${['anonymous', 'guest', 'ftp', randomBytes(4).toString('hex')][randomInt(4)]}@example.com`;

export const anonymousFtp: TcpCheck = {
  id: 'anonymous-ftp',
  title: 'Anonymous FTP: anyone can log in',
  severity: 'medium',
  cwe: [306],
  owasp: ['A07:2021', 'A07:2025'],
  wstg: [],
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  references: ['https://www.rfc-editor.org/rfc/rfc1635', 'https://security.appspot.com/vsftpd/vsftpd_conf.html'],
  decides:
    'Connects and logs in as `anonymous` with an email address as the password; it lists and uploads nothing. It is vulnerable if the server replies with 230. It is fixed when the server refuses the user with 530 and one of the usual texts, such as `Login incorrect.`; other texts may be about load, hours or encryption.',
  text: `The server accepts the user \`anonymous\` with any password. Anyone can list and download its files, and sometimes upload
files. Attackers use such servers to distribute malware.

**How to fix it.** If no files are meant to be public, disable anonymous logins, in vsftpd \`anonymous_enable=NO\`, in
ProFTPD by removing the \`<Anonymous>\` section; better still, use SFTP. If files are meant to be public, make sure that
no user can upload files and that no other files are there, and accept the risk.`,
  on: 'tcp',
  ports: [21, 2121],
  async observe({ probe }) {
    const [opening = Buffer.alloc(0), rest = Buffer.alloc(0)] = await probe.tcp([
      // Sent before the greeting arrives: services that wait for the client would otherwise never answer.
      { send: 'USER anonymous\r\n', complete: greetedAndAnswered },
      { send: `PASS ${guest()}\r\n`, complete: (reply) => repliesIn(reply).length > 0 },
    ]);
    const [greeting = '', user = ''] = repliesIn(opening);
    const [password = ''] = repliesIn(rest);
    if (!greeting.startsWith(GREETING)) return inconclusive('the service on this port does not respond like FTP');
    const last = user.startsWith(PASSWORD_WANTED) ? password : user;
    if (last.startsWith(LOGGED_IN)) return vulnerable(`It lets the user "anonymous" in: ${last}`);
    return isRefusal(last)
      ? notVulnerable(`The server does not let the user "anonymous" in (${last})`)
      : inconclusive(`the server neither lets the user "anonymous" in nor refuses to: ${last}`);
  },
};
