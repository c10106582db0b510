import { decode, encode } from 'dns-packet';
import { hex, isLike, latin, type Protocol, saying, turn, uint16, uint32 } from './protocol';

const RDP_REQUEST = '03000013 0ee00000 0000 00 01 00 0800 0b000000';
const TLS_PROTOCOLS = 0x0b;

const rdp: Protocol = {
  service: 'ms-wbt-server',
  ports: [3389],
  hello: saying(0, () => hex(RDP_REQUEST)),
  isWhole: (answer) => answer.length >= 4 && answer.length >= uint16(answer, 2),
  read(heard) {
    const answer = turn(heard, 0);
    // A confirmation with the negotiated protocols, or without them from servers that cannot negotiate.
    const isNegotiated = isLike(answer, '03000013 0ed0 .{10} 0[23] .. 0800 .{8}$');
    return isNegotiated || isLike(answer, '0300000b 06d0 .{10}$') ? [] : null;
  },
  startTls: { isOffered: (heard) => heard[0]?.[11] === 2 && ((heard[0][15] ?? 0) & TLS_PROTOCOLS) !== 0 },
};

const SMB_MESSAGE = Buffer.concat([
  hex('fe534d42 4000 0000 00000000 0000 0100 00000000 00000000 0000000000000000 00000000 00000000 0000000000000000'),
  Buffer.alloc(16),
  hex('2400 0400 0100 0000 00000000'),
  Buffer.alloc(16),
  hex('0000000000000000 0202 1002 0003 0203'),
]);

const smb: Protocol = {
  service: 'microsoft-ds',
  ports: [445, 139],
  hello: saying(0, () => Buffer.concat([hex(`000000${SMB_MESSAGE.length.toString(16)}`), SMB_MESSAGE])),
  isWhole: (answer) => answer.length >= 4 && answer.length >= 4 + uint32(answer, 0),
  // The response to the negotiation, with the flag of a server.
  read: (heard) => (isLike(turn(heard, 0), '00.{6} fe534d42 4000 .{12} 0000 .{4} .[13579bdf] 000000') ? [] : null),
};

const dnsId = (nonce: Buffer): number => nonce.readUInt16BE(0);

const dns: Protocol = {
  service: 'domain',
  overTls: 'domain-s',
  ports: [53, 853],
  hello: saying(0, (nonce) => {
    const questions = [{ name: 'version.bind', type: 'TXT' as const, class: 'CH' as const }];
    const message = encode({ id: dnsId(nonce), type: 'query', flags: 0, questions });
    return Buffer.concat([hex(message.length.toString(16).padStart(4, '0')), message]);
  }),
  isWhole: (answer) => answer.length >= 2 && answer.length >= 2 + uint16(answer, 0),
  read(heard, nonce) {
    const answer = turn(heard, 0);
    // A response with the same number and only a few records.
    if (answer.length < 14 || answer.length !== 2 + uint16(answer, 0) || uint16(answer, 2) !== dnsId(nonce))
      return null;
    if (((answer[4] ?? 0) & 0xf8) !== 0x80 || uint16(answer, 6) > 1 || uint16(answer, 8) > 4) return null;
    return textsOfDns(answer.subarray(2));
  },
};

function textsOfDns(message: Buffer): readonly string[] | null {
  try {
    const { answers = [] } = decode(message);
    return answers.flatMap((record) => (record.type === 'TXT' ? [[record.data].flat().join('').slice(0, 200)] : []));
  } catch {
    return null;
  }
}

const VERSION_TOPIC = '$SYS/broker/version';

const mqtt: Protocol = {
  service: 'mqtt',
  overTls: 'secure-mqtt',
  ports: [1883, 8883],
  // A nameless session that ends with the connection, and a topic on which brokers publish information about themselves.
  hello: saying(0, (nonce) =>
    Buffer.concat([
      hex('100c 0004 4d515454 04 02 003c 0000'),
      hex(`82${(VERSION_TOPIC.length + 5).toString(16)}`),
      nonce.subarray(0, 2),
      hex(`00${VERSION_TOPIC.length.toString(16)}`),
      Buffer.from(`${VERSION_TOPIC}\0`),
    ]),
  ),
  isWhole: (answer) => answer.length > 3 && (answer[3] !== 0 || answer.includes(VERSION_TOPIC)),
  read(heard, nonce) {
    const answer = turn(heard, 0);
    if (!isLike(answer, '2002') || (answer[2] ?? 2) > 1 || (answer[3] ?? 6) > 5) return null;
    if (answer[3] !== 0) return answer.length === 4 ? [] : null;
    const isSubscribed = answer.includes(Buffer.concat([hex('9003'), nonce.subarray(0, 2)]));
    const [, version] = /\$SYS\/broker\/version([\x20-\x7e]{1,100})/.exec(latin(answer)) ?? [];
    return isSubscribed ? (version === undefined ? [] : [version]) : null;
  },
};

/** A long string of the table, which follows its name and type. */
function amqpText(frame: Buffer, name: string): string {
  const at = frame.indexOf(`${String.fromCharCode(name.length)}${name}S`);
  const from = at + name.length + 6;
  const text = at < 0 ? '' : latin(frame.subarray(from, from + Math.min(uint32(frame, from - 4), 60)));
  return /^[\w.+ -]+$/.test(text) ? text : '';
}

const FRAME_END = 0xce;

const amqp: Protocol = {
  service: 'amqp',
  overTls: 'amqps',
  ports: [5672, 5671],
  hello: saying(0, () => Buffer.from('AMQP\0\0\x09\x01', 'latin1')),
  isWhole: (answer) =>
    answer.length >= 8 && (latin(answer).startsWith('AMQP') || answer.length >= 8 + uint32(answer, 3)),
  read(heard) {
    const frame = turn(heard, 0);
    // The header of another version than was requested, or the first method of this one.
    if (isLike(frame, '414d5150 0[023] 01 00 00$')) return [];
    if (!isLike(frame, '01 0000 .{8} 000a 000a 0009') || frame.at(-1) !== FRAME_END) return null;
    return [`${amqpText(frame, 'product')} ${amqpText(frame, 'version')}`.trim()].filter((text) => text !== '');
  },
};

const RPC_BIND = '000186a0';

const rpcbind: Protocol = {
  service: 'sunrpc',
  ports: [111],
  hello: saying(0, (nonce) =>
    Buffer.concat([
      hex('80000028'),
      nonce.subarray(0, 4),
      hex(`00000000 00000002 ${RPC_BIND} 00000002 00000000`),
      Buffer.alloc(16),
    ]),
  ),
  isWhole: (answer) => answer.length >= 28,
  read: (heard, nonce) => {
    const answer = turn(heard, 0);
    const isReply = answer.subarray(4, 8).equals(nonce.subarray(0, 4)) && uint32(answer, 8) === 1;
    // Accepted and successful.
    return isLike(answer, '80000018') && answer.length === 28 && isReply && uint32(answer, 24) === 0 ? [] : null;
  },
};

export const BINARY_PROTOCOLS: readonly Protocol[] = [rdp, smb, dns, mqtt, amqp, rpcbind];
