import { randomBytes } from 'node:crypto';
import { int32, writeDocument } from '../../protocols/services/bson';
import { SERVICE_ANSWERS, type ServiceAnswer } from '../../testing/service-answers';
import { PROTOCOLS } from '.';
import type { Protocol } from './protocol';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

const protocolOf = (service: string): Protocol => {
  const found = PROTOCOLS.find((one) => one.service === service);
  if (found === undefined) throw new Error(`there is no ${service}`);
  return found;
};

const readBy = (protocol: Protocol, { heard, nonce }: Pick<ServiceAnswer, 'heard' | 'nonce'>) => {
  const buffers = heard.map(bytes);
  const greeting = buffers[0] ?? Buffer.alloc(0);
  // Like `PortLook`: a protocol without a greeting of its own is tried with a hello.
  const speaks = protocol.greets?.(greeting) === true || protocol.hello !== undefined;
  return speaks ? protocol.read(buffers, Buffer.from(nonce, 'hex')) : null;
};

function mongoAnswers(nonce: Buffer, version: string): string[] {
  const message = (to: number, content: Parameters<typeof writeDocument>[0]): string => {
    const document = writeDocument(content);
    const head = [int32(21 + document.length), int32(9), int32(to >>> 1), int32(2013), Buffer.alloc(5)];
    return Buffer.concat([...head, document]).toString('latin1');
  };
  return [
    message(nonce.readInt32LE(0), { maxWireVersion: 21, ok: 1 }),
    message(nonce.readInt32LE(4), { version, ok: 1 }),
  ];
}

const NONCE = '0102030405060708';

/** Answers from the documentation of servers that Debian does not have, or that were configured differently. */
const DOCUMENTED: readonly ServiceAnswer[] = [
  {
    service: 'ms-sql-s',
    nonce: NONCE,
    heard: ['\x04\x01\0\x20\0\0\x01\0\0\0\x10\0\x06\x01\0\x16\0\x01\x02\0\x17\0\x01\xff\x0f\0\x07\xd0\0\0\x02\0'],
    stated: ['15.0.2000'],
  },
  {
    service: 'mongodb',
    nonce: NONCE,
    heard: mongoAnswers(Buffer.from(NONCE, 'hex'), '7.0.14'),
    stated: ['version: 7.0.14'],
  },
  {
    service: 'ms-wbt-server',
    nonce: NONCE,
    heard: ['\x03\0\0\x13\x0e\xd0\0\0\x12\x34\0\x03\0\x08\0\x05\0\0\0'],
    stated: [],
  },
  { service: 'ms-wbt-server', nonce: NONCE, heard: ['\x03\0\0\x0b\x06\xd0\0\0\x12\x34\0'], stated: [] },
  {
    service: 'redis',
    nonce: NONCE,
    heard: ['-DENIED Redis is running in protected mode because protected mode is enabled.\r\n'],
    stated: ['-DENIED Redis is running in protected mode because protected mode is enabled.'],
  },
  {
    service: 'postgresql',
    nonce: NONCE,
    heard: [
      'N',
      'E\0\0\0\x8eSFATAL\0VFATAL\0C0A000\0Munsupported frontend protocol 255.0: server supports 3.0 to 3.0\0Fpostmaster.c\0\0',
    ],
    stated: [expect.stringContaining('\0Fpostmaster.c\0')],
  },
  {
    service: 'mysql',
    nonce: NONCE,
    heard: ["\x4b\0\0\0\xff\x6a\x04Host '198.51.100.7' is not allowed to connect to this MySQL server\0\0\0\0\0\0"],
    stated: [],
  },
  { service: 'mqtt', nonce: NONCE, heard: [' \x02\0\x05'], stated: [] },
  { service: 'amqp', nonce: NONCE, heard: ['AMQP\0\x01\0\0'], stated: [] },
  {
    service: 'zookeeper',
    nonce: NONCE,
    heard: ['srvr is not executed because it is not in the whitelist.\n'],
    stated: [],
  },
  {
    service: 'nntp',
    nonce: NONCE,
    heard: [
      '200 news.example.com InterNetNews NNRP server INN 2.7.1 ready\r\n',
      '101 Capability list:\r\nVERSION 2\r\nREADER\r\n.\r\n',
    ],
    stated: ['200 news.example.com InterNetNews NNRP server INN 2.7.1 ready'],
  },
];

const KNOWN: readonly ServiceAnswer[] = [
  ...SERVICE_ANSWERS,
  ...DOCUMENTED.filter(({ service }) => service !== 'mysql'),
];

describe('the protocols', () => {
  it.each(KNOWN.map((one) => [one.service, one] as const))(
    '%s is recognized by what a server of it says',
    (service, answer) => {
      expect(readBy(protocolOf(service), answer)).toEqual(answer.stated);
    },
  );

  it.each(KNOWN.map((one) => [one.service, one] as const))('%s is taken for no other protocol', (service, answer) => {
    const others = PROTOCOLS.filter((one) => one.service !== service).filter((one) => {
      const greeting = bytes(answer.heard[0] ?? '');
      return one.greets === undefined
        ? readBy(one, answer) !== null
        : one.greets(greeting) && readBy(one, answer) !== null;
    });
    expect(others.map((one) => one.service)).toEqual([]);
  });

  // One Telnet negotiation is complete by itself.
  const longer = SERVICE_ANSWERS.filter(({ service }) => service !== 'telnet');
  it.each(longer.map((one) => [one.service, one] as const))(
    '%s is not recognized by a part of its first bytes',
    (service, answer) => {
      const [first = ''] = answer.heard;
      const protocol = protocolOf(service);
      for (let length = 0; length < Math.min(first.length, 8); length += 1) {
        const part = bytes(first.slice(0, length));
        const isGreeting = protocol.greets === undefined || protocol.greets(part);
        const isTaken = isGreeting && protocol.read([part], Buffer.from(answer.nonce, 'hex')) !== null;
        expect([length, isTaken]).toEqual([length, false]);
      }
    },
  );

  it('garbage is not recognized', () => {
    for (let round = 0; round < 3_000; round += 1) {
      const garbage = randomBytes(1 + (round % 400));
      const nonce = randomBytes(8);
      const names = PROTOCOLS.filter(
        (one) => (one.greets === undefined || one.greets(garbage)) && one.read([garbage, garbage], nonce) !== null,
      ).map((one) => one.service);
      // A single letter of PostgreSQL is only proved by a handshake.
      expect([garbage.toString('hex'), names.filter((name) => name !== 'postgresql')]).toEqual([
        garbage.toString('hex'),
        [],
      ]);
    }
  });

  it.each(PROTOCOLS.map((one) => [one.service, one] as const))(
    '%s does not treat its own hello as an answer',
    (_service, protocol) => {
      const nonce = randomBytes(8);
      const hello = Buffer.from(protocol.hello?.([], nonce) ?? '');
      expect((protocol.greets === undefined || protocol.greets(hello)) && protocol.read([hello], nonce) !== null).toBe(
        false,
      );
    },
  );

  it('have names that occur once', () => {
    const names = PROTOCOLS.flatMap(({ service, overTls }) => [service, ...(overTls === undefined ? [] : [overTls])]);
    expect(new Set(names).size).toBe(names.length);
  });
});
