import { createSocket, type Socket } from 'node:dgram';

/** The records of a name server by name and type, each as one line of a zone file. */
export type Zone = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** How a name server answers. */
export type NameServerMode = 'answer' | 'servfail' | 'refused' | 'silent';

const TYPES: Readonly<Record<number, string>> = {
  1: 'A',
  2: 'NS',
  5: 'CNAME',
  6: 'SOA',
  15: 'MX',
  16: 'TXT',
  28: 'AAAA',
  257: 'CAA',
};

const NUMBERS = new Map(Object.entries(TYPES).map(([number, type]) => [type, Number(number)]));

const labels = (name: string): Buffer[] =>
  name
    .split('.')
    .filter(Boolean)
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));

const nameBytes = (name: string): Buffer => Buffer.concat([...labels(name), Buffer.from([0])]);

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);

function v6Bytes(address: string): Buffer {
  const [head = '', tail] = address.split('::');
  const groups = (part: string): string[] => part.split(':').filter(Boolean);
  const missing = 8 - groups(head).length - groups(tail ?? '').length;
  const all = [...groups(head), ...Array<string>(tail === undefined ? 0 : missing).fill('0'), ...groups(tail ?? '')];
  return Buffer.concat(all.map((group) => uint16(Number.parseInt(group, 16))));
}

/** TXT records consist of strings of at most 255 bytes. */
function textBytes(text: string): Buffer {
  const parts = text.match(/.{1,255}/gs) ?? [''];
  return Buffer.concat(parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])));
}

const words = (line: string): [string, string, string] => {
  const [first = '', second = '', ...rest] = line.split(' ');
  return [first, second, rest.join(' ')];
};

const ENCODERS: Readonly<Record<string, (line: string) => Buffer>> = {
  A: (line) => Buffer.from(line.split('.').map(Number)),
  AAAA: v6Bytes,
  NS: nameBytes,
  CNAME: nameBytes,
  TXT: textBytes,
  SOA: (line) => {
    const [primary, contact, serial] = words(line);
    const numbers = Buffer.alloc(20);
    numbers.writeUInt32BE(Number(serial), 0);
    return Buffer.concat([nameBytes(primary), nameBytes(contact), numbers]);
  },
  MX: (line) => {
    const [priority, exchange] = words(line);
    return Buffer.concat([uint16(Number(priority)), nameBytes(exchange)]);
  },
  CAA: (line) => {
    const [flags, tag, value] = words(line);
    return Buffer.concat([Buffer.from([Number(flags), tag.length]), Buffer.from(tag + value)]);
  },
};

const record = (owner: string, type: string, line: string): Buffer => {
  const data = ENCODERS[type]?.(line) ?? Buffer.alloc(0);
  return Buffer.concat([
    nameBytes(owner),
    uint16(NUMBERS.get(type) ?? 0),
    uint16(1),
    Buffer.alloc(4),
    uint16(data.length),
    data,
  ]);
};

const RCODES: Readonly<Record<NameServerMode, number>> = { answer: 0, servfail: 2, refused: 5, silent: 0 };
const NO_SUCH_NAME = 3;

function questionOf(message: Buffer): { name: string; type: string; end: number } {
  const parts: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    parts.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: parts.join('.').toLowerCase(), type: TYPES[message.readUInt16BE(at + 1)] ?? '', end: at + 5 };
}

/** A name server on loopback that answers from a zone, for checks of the DNS and for targets with a name. */
export class NameServer {
  /** Tests replace it at run time, to fix or break the zone. */
  zone: Zone = {};
  mode: NameServerMode = 'answer';
  /** The server that answers are taken from; null for answers from its own zone. */
  primary: NameServer | null = null;
  /** Whether it answers with authority, as every server of a zone does. */
  isAuthoritative = true;
  /** Servers of a zone below this one, by zone: questions are answered with a referral. */
  delegated: Readonly<Record<string, readonly string[]>> = {};
  /** Questions of this type are answered with SERVFAIL. */
  failing: string | null = null;
  /** Called with each question before it is answered. */
  onQuestion: (name: string, type: string) => void = () => {};

  private constructor(private readonly socket: Socket) {
    socket.on('message', (message, from) => {
      const reply = this.reply(message);
      if (reply !== null) socket.send(reply, from.port, from.address);
    });
  }

  static async start(zone: Zone = {}, address = '127.0.0.1', port = 0): Promise<NameServer> {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject).bind(port, address, resolve);
    });
    const server = new NameServer(socket);
    server.zone = zone;
    return server;
  }

  /** In the form that `Transport` expects. */
  get address(): string {
    const { address } = this.socket.address();
    return address.includes(':') ? `[${address}]:${this.port}` : `${address}:${this.port}`;
  }

  get port(): number {
    return this.socket.address().port;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.socket.close(() => resolve());
    });
  }

  private reply(message: Buffer): Buffer | null {
    const { name, type, end } = questionOf(message);
    this.onQuestion(name, type);
    if (this.primary !== null) return this.primary.reply(message);
    const mode = type === this.failing ? 'servfail' : this.mode;
    if (mode === 'silent') return null;
    const servers = this.delegated[name];
    if (servers !== undefined) return this.referral(message.subarray(0, end), name, servers);
    const answers = mode === 'answer' ? this.answers(name, type) : [];
    const known =
      this.recordsOf(name) !== undefined || Object.keys(this.zone).some((owner) => owner.endsWith(`.${name}`));
    const rcode = mode === 'answer' && !known ? NO_SUCH_NAME : RCODES[mode];
    const head = Buffer.concat([
      message.subarray(0, 2),
      uint16((this.isAuthoritative ? 0x8580 : 0x8180) | rcode),
      uint16(1),
      uint16(answers.length),
      Buffer.alloc(4),
    ]);
    return Buffer.concat([head, message.subarray(12, end), ...answers]);
  }

  private referral(asked: Buffer, name: string, servers: readonly string[]): Buffer {
    const counts = [uint16(1), uint16(0), uint16(servers.length), uint16(0)];
    const records = servers.map((server) => record(name, 'NS', server));
    return Buffer.concat([asked.subarray(0, 2), uint16(0x8000), ...counts, asked.subarray(12), ...records]);
  }

  /** The records of the name, or of the wildcard (`*.zone.test`) that covers it. */
  private recordsOf(name: string): Zone[string] | undefined {
    const wildcard = Object.keys(this.zone).find((owner) => owner.startsWith('*.') && name.endsWith(owner.slice(1)));
    return this.zone[name] ?? (wildcard === undefined ? undefined : this.zone[wildcard]);
  }

  private answers(name: string, type: string): Buffer[] {
    const own = this.recordsOf(name) ?? {};
    const records = own[type] ?? [];
    if (records.length > 0 || type === 'CNAME') return records.map((line) => record(name, type, line));
    // Like every resolver, follows the alias and includes its records in the answer.
    return (own['CNAME'] ?? []).flatMap((alias) => [record(name, 'CNAME', alias)].concat(this.answers(alias, type)));
  }
}
