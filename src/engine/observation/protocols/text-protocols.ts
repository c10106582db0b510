import { latin, type Protocol, saying, tagOf, turn } from './protocol';

/** The first line without its end; null if it has not ended or is not text. */
const lineOf = (bytes: Buffer): string | null =>
  /^([\x20-\x7e\t\x80-\xff]{1,1000})\r?\n/.exec(latin(bytes))?.[1] ?? null;

const stated = (bytes: Buffer): readonly string[] => {
  const line = lineOf(bytes);
  return line === null ? [] : [line];
};

const endsLine = (answer: Buffer): boolean => answer.at(-1) === 0x0a;
/** Whether it ends with the last line of a reply, in which a space follows the code. */
const endsReply = (answer: Buffer): boolean => /(?:^|\n)\d{3} [^\n]*\n$/.test(latin(answer.subarray(-1_000)));

const IDENTIFICATION = /^(?:[^\n]{0,255}\n){0,20}?SSH-\d{1,2}\.\d{1,3}-[\x20-\x7e]{1,253}\r?\n/;
const KEY_EXCHANGE = 20;

const ssh: Protocol = {
  service: 'ssh',
  ports: [22],
  greets: (greeting) => IDENTIFICATION.test(latin(greeting.subarray(0, 6_000))),
  hello: saying(1, () => 'SSH-2.0-Assay\r\n'),
  isWhole: (answer) => answer.length > 5,
  read(heard) {
    const all = Buffer.concat([...heard]);
    const head = IDENTIFICATION.exec(latin(all.subarray(0, 6_000)))?.[0] ?? '';
    // The first packet: its length, the length of its padding, and its type.
    if (head === '' || all.at(head.length + 5) !== KEY_EXCHANGE) return null;
    return [head.slice(head.lastIndexOf('SSH-')).trimEnd()];
  },
};

const ftp: Protocol = {
  service: 'ftp',
  overTls: 'ftps',
  ports: [21, 990, 2121],
  greets: (greeting) => /^220[ -]/.test(latin(greeting)) && endsReply(greeting),
  suggestedBy: /^220.{0,500}(?:ftp|FTP|FileZilla)/s,
  hello: saying(1, () => 'AUTH TLS\r\n'),
  isWhole: endsReply,
  // Servers of other protocols with such codes do not know AUTH before their own hello, or answer it with 502 like FTP.
  read: (heard) =>
    /^(?:234|4[23]\d|5[03]\d)[ -]/.test(latin(heard[1])) && !/SMTP|LMTP/.test(latin(heard[0]))
      ? stated(turn(heard, 0))
      : null,
  startTls: { isOffered: (heard) => latin(heard[1]).startsWith('234 ') },
};

const smtp: Protocol = {
  service: 'smtp',
  overTls: 'submissions',
  ports: [25, 465, 587, 2525],
  greets: (greeting) => /^220[ -]/.test(latin(greeting)) && endsReply(greeting),
  suggestedBy: /^220.{0,500}SMTP/s,
  hello: saying(1, () => 'EHLO assay.invalid\r\n'),
  isWhole: endsReply,
  read: (heard) => (/^250[ -][^\n]*\n/.test(latin(heard[1])) ? stated(turn(heard, 0)) : null),
  startTls: {
    isOffered: (heard) => /^250[ -]STARTTLS\r?$/im.test(latin(heard[1])),
    command: 'STARTTLS\r\n',
    isAccepted: (answer) => latin(answer).startsWith('220') && endsReply(answer),
  },
};

const imap: Protocol = {
  service: 'imap',
  overTls: 'imaps',
  ports: [143, 993],
  greets: (greeting) => /^\* (?:OK|PREAUTH)\b/i.test(latin(greeting)) && endsLine(greeting),
  hello: saying(1, (nonce) => `${tagOf(nonce)} CAPABILITY\r\n`),
  isWhole: (answer) => endsLine(answer) && /(?:^|\n)a[0-9a-f]{16} /.test(latin(answer)),
  read: (heard, nonce) => {
    const answer = latin(heard[1]);
    const isDone = answer.includes(`${tagOf(nonce)} OK`);
    return isDone && /^\* CAPABILITY\b[^\n]*\bIMAP4/im.test(answer) ? stated(turn(heard, 0)) : null;
  },
  startTls: {
    isOffered: (heard) => /^\* CAPABILITY\b[^\n]*\bSTARTTLS\b/im.test(latin(heard[1])),
    command: 'b STARTTLS\r\n',
    isAccepted: (answer) => /^b OK\b[^\n]*\n/i.test(latin(answer)),
  },
};

const pop3: Protocol = {
  service: 'pop3',
  overTls: 'pop3s',
  ports: [110, 995],
  greets: (greeting) => latin(greeting).startsWith('+OK') && endsLine(greeting),
  hello: saying(1, () => 'CAPA\r\n'),
  isWhole: (answer) => /^-ERR[^\n]*\n|\n\.\r?\n$/.test(latin(answer)),
  read: (heard) => (/^\+OK[^]*\n\.\r?\n$|^-ERR/.test(latin(heard[1])) ? stated(turn(heard, 0)) : null),
  startTls: {
    isOffered: (heard) => /^STLS\r?$/im.test(latin(heard[1])),
    command: 'STLS\r\n',
    isAccepted: (answer) => /^\+OK[^\n]*\n/.test(latin(answer)),
  },
};

const COMMAND_BYTES = new Set([0xfb, 0xfc, 0xfd, 0xfe]);
const INTERPRET = 0xff;
const LAST_OPTION = 49;

/** Whether the greeting consists of option negotiations and text. */
function negotiates(greeting: Buffer): boolean {
  let at = 0;
  for (; greeting[at] === INTERPRET; at += 3) {
    if (!COMMAND_BYTES.has(greeting[at + 1] ?? 0) || (greeting[at + 2] ?? INTERPRET) > LAST_OPTION) return false;
  }
  return at > 0 && /^[\s\x20-\x7e]*$/.test(latin(greeting.subarray(at)));
}

const telnet: Protocol = {
  service: 'telnet',
  overTls: 'telnets',
  ports: [23, 992, 2323],
  greets: negotiates,
  read: ([greeting]) =>
    latin(greeting)
      .match(/[\x20-\x7e]{4,200}/g)
      ?.slice(0, 3) ?? [],
};

const vnc: Protocol = {
  service: 'rfb',
  ports: [5900, 5901, 5902],
  greets: (greeting) => /^RFB \d{3}\.\d{3}\n$/.test(latin(greeting)),
  read: (heard) => stated(turn(heard, 0)),
};

const rsync: Protocol = {
  service: 'rsync',
  ports: [873],
  greets: (greeting) => /^@RSYNCD: \d{2}(?:\.\d{1,2})?(?: [\w ,-]{1,200})?\n/.test(latin(greeting)),
  read: (heard) => stated(turn(heard, 0)),
};

const svn: Protocol = {
  service: 'svn',
  ports: [3690],
  greets: (greeting) => /^\( success \( \d \d \( [^)]{0,200}\) \([^)]{0,500}\) \) \) $/.test(latin(greeting)),
  read: () => [],
};

const nntp: Protocol = {
  service: 'nntp',
  overTls: 'nntps',
  ports: [119, 563],
  greets: (greeting) => /^20[01] /.test(latin(greeting)) && endsLine(greeting),
  hello: saying(1, () => 'CAPABILITIES\r\n'),
  isWhole: (answer) => /^5\d\d[^\n]*\n|\n\.\r?\n$/.test(latin(answer)),
  read: (heard) => (/^101 [^]*\n\.\r?\n$/.test(latin(heard[1])) ? stated(turn(heard, 0)) : null),
};

const REDIS_REFUSAL = /^-(?:NOAUTH|NOPERM|LOADING|MASTERDOWN) /;

const redis: Protocol = {
  service: 'redis',
  ports: [6379, 6380],
  greets: (greeting) => latin(greeting).startsWith('-DENIED Redis is running in protected mode') && endsLine(greeting),
  suggestedBy: /^-(?:NOAUTH|ERR|NOPERM) /,
  hello: saying(0, (nonce) => `PING ${tagOf(nonce)}\r\nINFO server\r\nQUIT\r\n`),
  isWhole: (answer) => latin(answer.subarray(-5)) === '+OK\r\n',
  read(heard, nonce) {
    const answer = latin(heard[0]);
    if (answer.startsWith('-DENIED')) return stated(turn(heard, 0));
    const isAnswered = answer.startsWith(`$17\r\n${tagOf(nonce)}\r\n`) || REDIS_REFUSAL.test(answer);
    if (!isAnswered || !answer.endsWith('+OK\r\n')) return null;
    const [version] = /^(?:redis|valkey)_version:[\w.-]{1,40}/m.exec(answer) ?? [];
    return version === undefined ? stated(turn(heard, 0)).filter((line) => line.startsWith('-')) : [version];
  },
};

const memcached: Protocol = {
  service: 'memcache',
  ports: [11_211],
  suggestedBy: /^ERROR\r\n/,
  // The second command does not exist, so a server that answers everything in the same way is not recognized.
  hello: saying(0, (nonce) => `version\r\n${tagOf(nonce)}\r\n`),
  isWhole: (answer) => /^[^\n]*\n[^\n]*\n/.test(latin(answer)),
  read: ([answer]) => {
    const [, version] = /^VERSION ([\w.-]{1,60})\r\nERROR\r\n/.exec(latin(answer)) ?? [];
    if (version !== undefined) return [`VERSION ${version}`];
    return latin(answer).startsWith('CLIENT_ERROR unauthenticated\r\n') ? [] : null;
  },
};

const zookeeper: Protocol = {
  service: 'zookeeper',
  ports: [2181, 2281],
  hello: saying(0, () => 'srvr'),
  isWhole: (answer) => /^srvr is not executed[^\n]*\n|\nNode count: \d{1,20}\n/.test(latin(answer)),
  read: ([answer]) => {
    const [version] = /^Zookeeper version: \d[\w.]{0,60}/.exec(latin(answer)) ?? [];
    if (version !== undefined) return [version];
    return latin(answer).startsWith('srvr is not executed because it is not in the whitelist') ? [] : null;
  },
};

/** A length in four hexadecimal digits, which includes itself, and the line. */
function gitLine(content: string): string {
  return (content.length + 4).toString(16).padStart(4, '0') + content;
}

const git: Protocol = {
  service: 'git',
  ports: [9418],
  // Requests a repository that does not exist.
  hello: saying(0, (nonce) => gitLine(`git-upload-pack /${tagOf(nonce)}\0host=assay.invalid\0`)),
  read: ([answer], nonce) => {
    const [, length = '', kind] = /^([0-9a-f]{4})(ERR |[0-9a-f]{40} |version )/.exec(latin(answer)) ?? [];
    if (kind === undefined || parseInt(length, 16) > (answer?.length ?? 0)) return null;
    return kind !== 'ERR ' || latin(answer).includes(tagOf(nonce)) || latin(answer).includes('access denied')
      ? []
      : null;
  },
};

export const TEXT_PROTOCOLS: readonly Protocol[] = [
  ssh,
  ftp,
  smtp,
  imap,
  pop3,
  telnet,
  vnc,
  rsync,
  svn,
  nntp,
  redis,
  memcached,
  zookeeper,
  git,
];
