import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket as Connection } from 'node:net';
import { type Answer, decode, encode, type Packet } from 'dns-packet';
import { parseEndpoint } from './endpoint';
import { Egress } from './egress';
import { ExchangeClock } from './exchange-clock';
import { ExchangeError } from './exchange';
import type { DnsReply } from './dns-message';
import { NameServers, type NoReply } from './name-servers';
import { RateLimiter } from './rate-limiter';

const HOST = '127.0.0.1';
const txt = (text: string, name = 'target.test'): Answer => ({ type: 'TXT', name, class: 'IN', ttl: 1, data: [text] });
const TRUNCATED = 0x0200;
const AUTHORITATIVE = 0x0400;

type OnQuery = (query: Packet & { id: number }, send: (reply: Buffer) => void, from: RemoteInfo) => void;

/** A reply to the query, with these parts replaced. */
const reply = (query: Packet, parts: Packet = {}): Buffer =>
  encode({
    type: 'response',
    id: query.id,
    flags: AUTHORITATIVE,
    questions: query.questions,
    answers: [txt('v=spf1 -all')],
    ...parts,
  });

const framed = (message: Buffer): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
};

describe('a name server that is asked itself', () => {
  let udp: Socket;
  let tcp: Server;
  let port = 0;
  let onQuery: OnQuery;
  let onConnection: (socket: Connection, query: Packet) => void;
  const connections = new Set<Connection>();

  const answerUdp = (message: Buffer, from: RemoteInfo): void => {
    const query = decode(message);
    onQuery({ ...query, id: query.id ?? 0 }, (bytes) => udp.send(bytes, from.port, from.address), from);
  };

  /** Another test may use the port for one protocol while it is free for the other. */
  async function listen(attempts = 20): Promise<void> {
    tcp = createServer((socket) => {
      connections.add(socket);
      socket.on('error', () => {}).once('data', (bytes) => onConnection(socket, decode(bytes.subarray(2))));
    });
    await once(tcp.listen(0, HOST), 'listening');
    ({ port } = tcp.address() as AddressInfo);
    udp = createSocket('udp4', answerUdp);
    try {
      udp.bind(port, HOST);
      await once(udp, 'listening');
    } catch (error) {
      tcp.close();
      if (attempts === 1) throw error;
      await listen(attempts - 1);
    }
  }

  beforeEach(async () => {
    onConnection = (socket) => void socket.destroy();
    await listen();
  });
  afterEach(async () => {
    for (const socket of connections) socket.destroy();
    connections.clear();
    await Promise.all([
      new Promise<void>((resolve) => void udp.close(() => resolve())),
      new Promise((resolve) => void tcp.close(resolve)),
    ]);
  });

  async function ask(allowed = `${HOST}:${port}`, ms = 20_000): Promise<DnsReply | NoReply> {
    const egress = new Egress({ allow: [parseEndpoint(allowed)] });
    const servers = new NameServers(egress, new RateLimiter({ perSecond: 1_000, concurrency: 8 }), port);
    const clock = new ExchangeClock(ms, () => new ExchangeError('timeout', 'too late'));
    try {
      return await servers.ask(
        { address: HOST, port },
        { name: 'target.test', type: 'TXT' },
        { signal: clock.signal, clock },
      );
    } finally {
      clock.end(new ExchangeError('closed', 'over'));
    }
  }

  const FOUND = { state: 'found', isAuthoritative: true, records: ['v=spf1 -all'] };

  it('is asked without recursion, and shows whether it answers with authority', async () => {
    const flags: (number | undefined)[] = [];
    onQuery = (query, send) => {
      flags.push(query.flags);
      send(reply(query));
    };
    expect(await ask()).toMatchObject(FOUND);
    expect(flags).toEqual([0]);
    onQuery = (query, send) => send(reply(query, { flags: 0 }));
    expect(await ask()).toMatchObject({ isAuthoritative: false });
  });

  it.each<[what: string, stray: (query: Packet & { id: number }) => Buffer]>([
    ['with another id', (query) => reply(query, { id: query.id ^ 1, answers: [txt('forged')] })],
    [
      'to another question',
      (query) =>
        reply(query, { questions: [{ name: 'other.test', type: 'TXT', class: 'IN' }], answers: [txt('forged')] }),
    ],
    [
      'for another type',
      (query) =>
        reply(query, { questions: [{ name: 'target.test', type: 'A', class: 'IN' }], answers: [txt('forged')] }),
    ],
    ['that is a question', (query) => reply(query, { type: 'query', answers: [txt('forged')] })],
    ['of a few bytes', () => Buffer.from([1, 2, 3])],
  ])('gets the answer that follows a packet %s', async (_what, stray) => {
    onQuery = (query, send) => {
      send(stray(query));
      send(reply(query));
    };
    expect(await ask()).toMatchObject(FOUND);
  });

  it('gets the answer that follows a packet from another address', async () => {
    const other = createSocket('udp4');
    onQuery = (query, send, from) => {
      other.send(reply(query, { answers: [txt('forged')] }), from.port, from.address, () => send(reply(query)));
    };
    expect(await ask()).toMatchObject(FOUND);
    other.close();
  });

  it('counts as silent after fifty packets that are no reply', async () => {
    let sent = 0;
    onQuery = (query, send) => {
      for (let at = 0; at < 60; at += 1) send(reply(query, { id: query.id ^ 1 }));
      sent += 1;
      send(reply(query));
    };
    expect(await ask()).toBe('silent');
    expect(sent).toBe(2);
  });

  it('is asked twice when a packet is lost', async () => {
    let queries = 0;
    onQuery = (query, send) => void ((queries += 1) === 2 && send(reply(query)));
    expect(await ask()).toMatchObject(FOUND);
  });

  it('has no records but those of the name, whatever else it adds', async () => {
    onQuery = (query, send) =>
      send(reply(query, { answers: [txt('v=spf1 +all', 'other.test'), txt('mine', 'TARGET.test')] }));
    expect(await ask()).toMatchObject({ records: ['mine'] });
  });

  it('says where an alias leads, also when that name does not exist', async () => {
    const alias = { type: 'CNAME', name: 'target.test', class: 'IN', ttl: 1, data: 'Spf.other.test' } as const;
    onQuery = (query, send) => send(reply(query, { flags: AUTHORITATIVE | 3, answers: [alias] }));
    expect(await ask()).toMatchObject({ alias: 'spf.other.test', records: [] });
  });

  it.each<[what: string, spoil: (query: Packet) => Buffer]>([
    ['fails', (query) => reply(query, { flags: AUTHORITATIVE | 2 })],
    ['refuses', (query) => reply(query, { flags: 5, answers: [] })],
    [
      'sends a name that leads to itself',
      (query) => Buffer.concat([reply(query, { answers: [] }), Buffer.from([0xc0, 0xff])]),
    ],
    [
      'sends half a record',
      (query) => {
        const bytes = reply(query);
        return bytes.subarray(0, bytes.length - 5);
      },
    ],
  ])('has failed when it %s', async (what, spoil) => {
    onQuery = (query, send) => {
      const bytes = spoil(query);
      if (what.includes('itself')) bytes.writeUInt16BE(1, 6);
      send(bytes);
    };
    expect(await ask()).toMatchObject({ state: 'servfail', records: [] });
  });

  it('is asked over TCP for an answer that is truncated, or if it does not know the size option', async () => {
    const long = 'x'.repeat(200);
    const answers = Array.from({ length: 50 }, (_none, at) => txt(`${at} ${long}`));
    onConnection = (socket, query) => void socket.end(framed(reply(query, { answers })));
    onQuery = (query, send) => send(reply(query, { flags: AUTHORITATIVE | TRUNCATED, answers: [] }));
    const read = await ask();
    expect(typeof read === 'string' ? [] : read.records).toHaveLength(50);
    onQuery = (query, send) => send(reply(query, { flags: 1, answers: [] }));
    expect(await ask()).toMatchObject({ state: 'found' });
  });

  it.each<[what: string, expected: unknown, behave: (socket: Connection, query: Packet) => void]>([
    ['closes the connection', 'silent', (socket) => void socket.destroy()],
    [
      'sends half a message',
      { state: 'servfail' },
      (socket, query) => void socket.end(framed(reply(query)).subarray(0, 45)),
    ],
    [
      'replies to another question',
      'silent',
      (socket, query) => void socket.end(framed(reply(query, { id: 1, answers: [] }))),
    ],
    ['sends nothing', 'silent', () => {}],
    [
      'sends more records than are taken apart',
      { state: 'servfail' },
      (socket, query) =>
        void socket.end(framed(reply(query, { answers: Array.from({ length: 501 }, () => txt('v=spf1 -all')) }))),
    ],
    [
      'sends without end',
      { state: 'found' },
      (socket, query) => void socket.write(Buffer.concat([framed(reply(query)), Buffer.alloc(1_000_000)])),
    ],
  ])('shows nothing wrong over TCP when it %s', async (_what, expected, behave) => {
    onConnection = behave;
    onQuery = (query, send) => send(reply(query, { flags: AUTHORITATIVE | TRUNCATED, answers: [] }));
    const read = await ask();
    if (typeof expected === 'string') expect(read).toBe(expected);
    else expect(read).toMatchObject(expected as object);
  });

  it('is not asked at an address that the egress rules forbid', async () => {
    let queries = 0;
    onQuery = () => void (queries += 1);
    await expect(ask('127.0.0.9:1')).rejects.toThrow('is not a public address');
    expect(queries).toBe(0);
  });
});
