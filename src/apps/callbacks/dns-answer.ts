/** What the zone answers to a name. */
export interface Zone {
  readonly domain: string;
  /** The public addresses of the listener. */
  readonly addresses: readonly Buffer[];
  /** Whether a name below the domain exists. */
  readonly has: (name: string) => boolean;
}

interface Question {
  readonly name: string;
  readonly type: number;
  readonly end: number;
}

const HEADER_BYTES = 12;
const TYPE = { A: 1, NS: 2, SOA: 6, AAAA: 28 } as const;
const INTERNET = 1;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;
const REFUSED = 5;
/** Of the answer, so that resolvers keep nothing for long. */
const TTL_SECONDS = 1;
/** A pointer to the name of the question. */
const SAME_NAME = Buffer.from([0xc0, HEADER_BYTES]);

/** Null for everything but one plain question. A name in a question is never compressed. */
function questionIn(message: Buffer): Question | null {
  if (message.length < HEADER_BYTES + 5 || message.length > 512) return null;
  // A response, another operation than a query, or not exactly one question.
  if ((message.readUInt8(2) & 0xf8) !== 0 || message.readUInt16BE(4) !== 1) return null;
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message[at]; length !== 0; length = message[at]) {
    if (length === undefined || length > 63 || at + length >= message.length) return null;
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  if (at + 5 > message.length || at - HEADER_BYTES > 254) return null;
  if (message.readUInt16BE(at + 3) !== INTERNET) return null;
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

const record = (type: number, data: Buffer): Buffer => {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(INTERNET, 2);
  fields.writeUInt32BE(TTL_SECONDS, 4);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([SAME_NAME, fields, data]);
};

/** `ns` below the domain, which the zone has too. */
const NAME_SERVER = Buffer.concat([Buffer.from('\x02ns'), SAME_NAME]);

function recordsOf({ name, type }: Question, { domain, addresses }: Zone): Buffer[] {
  if (type === TYPE.A || type === TYPE.AAAA) {
    const bytes = type === TYPE.A ? 4 : 16;
    return addresses.filter(({ length }) => length === bytes).map((address) => record(type, address));
  }
  if (name !== domain) return [];
  if (type === TYPE.NS) return [record(type, NAME_SERVER)];
  if (type !== TYPE.SOA) return [];
  const times = Buffer.alloc(20);
  [1, 3_600, 600, 86_400, TTL_SECONDS].forEach((number, at) => times.writeUInt32BE(number, 4 * at));
  return [record(type, Buffer.concat([NAME_SERVER, NAME_SERVER, times]))];
}

export interface DnsAnswer {
  readonly name: string;
  readonly message: Buffer;
}

/**
 * Answers one query with authority for its own zone alone. An answer is at most 90 bytes longer than its question, so that nobody
 * gains by sending questions in the name of others. Null where nothing is answered.
 */
export function dnsAnswer(message: Buffer, zone: Zone): DnsAnswer | null {
  const question = questionIn(message);
  if (question === null) return null;
  const { name, end } = question;
  const isOwn = name === zone.domain || name.endsWith(`.${zone.domain}`);
  const exists = name === zone.domain || name === `ns.${zone.domain}` || (isOwn && zone.has(name));
  const records = exists ? recordsOf(question, zone) : [];
  const header = Buffer.from(message.subarray(0, HEADER_BYTES));
  // A response, with authority if the zone is ours; no recursion is offered.
  header.writeUInt8(0x80 | (isOwn ? 0x04 : 0) | (message.readUInt8(2) & 0x01), 2);
  header.writeUInt8(isOwn ? (exists ? NO_ERROR : NO_SUCH_NAME) : REFUSED, 3);
  [1, records.length, 0, 0].forEach((count, at) => header.writeUInt16BE(count, 4 + 2 * at));
  return { name, message: Buffer.concat([header, message.subarray(HEADER_BYTES, end), ...records]) };
}
