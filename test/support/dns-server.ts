import { type Socket, createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Server, type Socket as Connection, createServer } from 'node:net';
import * as dns from 'dns-packet';

const rcodes = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;

/** The reply for a name: TXT records as lists of strings, IPv4 addresses, an alias, an error code, invalid bytes, or no reply. */
export type DnsReply =
  | { readonly txt: readonly (readonly string[])[] }
  | { readonly a: readonly string[] }
  | { readonly cname: string }
  | { readonly rcode: keyof typeof rcodes }
  | 'garbage'
  | 'no-reply';

/** Larger replies are truncated over UDP, and the client repeats the query over TCP. */
const maxUdpBytes = 1232;

/** An authoritative name server on loopback. Names without a reply get NXDOMAIN. */
export class DnsServer {
  private readonly replies = new Map<string, DnsReply>();
  private readonly holds = new Map<string, Promise<void>>();
  private readonly listeners = new Map<string, () => void>();
  private udp: Socket | undefined;
  private tcp: Server | undefined;
  private port = 0;
  tcpQueries = 0;
  /** Those that were answered with addresses. */
  addressQueries = 0;

  /** Settings for processes that use this server; to be read after it has started. */
  get settings(): { DNS_SERVERS: string } {
    const address = (): string => `127.0.0.1:${this.port}`;
    return {
      get DNS_SERVERS() {
        return address();
      },
    };
  }

  setReply(name: string, replies: DnsReply): void {
    this.replies.set(name, replies);
  }

  /** Sets TXT records, one for each argument. */
  publish(name: string, ...records: string[]): void {
    this.setReply(name, { txt: records.map((record) => [record]) });
  }

  removeReply(name: string): void {
    this.replies.delete(name);
  }

  /** Delays replies for a name until `release()`. `received` resolves after that many queries. */
  hold(name: string, questions = 1): { received: Promise<void>; release: () => void } {
    let release = (): void => undefined;
    this.holds.set(name, new Promise((resolve) => (release = resolve)));
    let missing = questions;
    const received = new Promise<void>((resolve) =>
      this.listeners.set(name, () => {
        missing--;
        if (missing === 0) resolve();
      }),
    );
    return { received, release: () => release() };
  }

  async start(): Promise<void> {
    const udp = createSocket('udp4', (message, from) => {
      void this.answer(message, (answer) => {
        udp.send(answer.length > maxUdpBytes ? truncated(message) : answer, from.port, from.address);
      });
    });
    this.udp = udp;
    udp.bind(0, '127.0.0.1');
    await once(udp, 'listening');
    this.port = udp.address().port;
    this.tcp = createServer((connection) => this.serve(connection));
    this.tcp.listen(this.port, '127.0.0.1');
    try {
      await once(this.tcp, 'listening');
    } catch {
      // The port was free for UDP, but not for TCP.
      udp.close();
      await this.start();
    }
  }

  async stop(): Promise<void> {
    this.udp?.close();
    await new Promise((resolve) => this.tcp?.close(resolve));
  }

  private serve(connection: Connection): void {
    let received = Buffer.alloc(0);
    connection.on('error', () => connection.destroy());
    connection.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0);
        this.tcpQueries++;
        void this.answer(received.subarray(2, end), (answer) => {
          const length = Buffer.alloc(2);
          length.writeUInt16BE(answer.length);
          connection.write(Buffer.concat([length, answer]));
        });
        received = received.subarray(end);
      }
    });
  }

  private async answer(message: Buffer, send: (answer: Buffer) => void): Promise<void> {
    const { id, questions } = dns.decode(message);
    const name = questions?.[0]?.name.toLowerCase() ?? '';
    this.listeners.get(name)?.();
    await this.holds.get(name);
    const replies = this.replies.get(name) ?? { rcode: 'NXDOMAIN' };
    if (replies === 'no-reply') return;
    if (replies === 'garbage') {
      send(Buffer.concat([message.subarray(0, 2), Buffer.from('8400000100ffffffffffff', 'hex')]));
      return;
    }
    const rcode = 'rcode' in replies ? rcodes[replies.rcode] : 0;
    const flags = dns.AUTHORITATIVE_ANSWER | dns.RECURSION_AVAILABLE | rcode;
    const answers = this.records(name, replies).filter(({ type }) => type !== 'A' || questions?.[0]?.type === 'A');
    if (answers.some(({ type }) => type === 'A')) this.addressQueries++;
    send(dns.encode({ type: 'response', id, flags, questions, answers }));
  }

  /** Follows aliases, like a resolver. */
  private records(name: string, replies: DnsReply | undefined): dns.Answer[] {
    if (typeof replies !== 'object' || 'rcode' in replies) return [];
    if ('txt' in replies) return replies.txt.map((strings) => ({ type: 'TXT', name, ttl: 0, data: [...strings] }));
    if ('a' in replies) return replies.a.map((data) => ({ type: 'A', name, ttl: 0, data }));
    return [
      { type: 'CNAME', name, ttl: 0, data: replies.cname },
      ...this.records(replies.cname, this.replies.get(replies.cname)),
    ];
  }
}

function truncated(message: Buffer): Buffer {
  const { id, questions } = dns.decode(message);
  return dns.encode({ type: 'response', id, flags: dns.AUTHORITATIVE_ANSWER | dns.TRUNCATED_RESPONSE, questions });
}

/** One name server for all tests of a file. Call it before `useApi`. */
export function useDnsServer(): DnsServer {
  const server = new DnsServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  return server;
}
