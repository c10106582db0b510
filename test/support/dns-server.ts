import { type Socket, createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Server, type Socket as Connection, createServer } from 'node:net';
import * as dns from 'dns-packet';

const rcodes = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;

/** What is said about a name: records in the strings that the wire cuts them into, an alias, a failure, or nothing at all. */
export type Said =
  | { readonly txt: readonly (readonly string[])[] }
  | { readonly cname: string }
  | { readonly rcode: keyof typeof rcodes }
  | 'garbage'
  | 'silence';

/** What fits a datagram everywhere; whoever wants more comes again over TCP. */
const mostOverUdp = 1232;

/** An authoritative name server on loopback that says what it is told to say; a name that it was told nothing of is none. */
export class DnsServer {
  private readonly said = new Map<string, Said>();
  private readonly gates = new Map<string, Promise<void>>();
  private readonly listeners = new Map<string, () => void>();
  private udp: Socket | undefined;
  private tcp: Server | undefined;
  private port = 0;
  overTcp = 0;

  /** For a process that is to ask this server; it is there once the server has started. */
  get settings(): { DNS_SERVERS: string } {
    const address = (): string => `127.0.0.1:${this.port}`;
    return {
      get DNS_SERVERS() {
        return address();
      },
    };
  }

  say(name: string, said: Said): void {
    this.said.set(name, said);
  }

  /** Each of them a record of its own. */
  publish(name: string, ...records: string[]): void {
    this.say(name, { txt: records.map((record) => [record]) });
  }

  withdraw(name: string): void {
    this.said.delete(name);
  }

  /** From now on questions about a name wait for their answers; `asked` is when that many have come. */
  hold(name: string, questions = 1): { asked: Promise<void>; release: () => void } {
    let release = (): void => undefined;
    this.gates.set(name, new Promise((resolve) => (release = resolve)));
    let missing = questions;
    const asked = new Promise<void>((resolve) =>
      this.listeners.set(name, () => {
        missing--;
        if (missing === 0) resolve();
      }),
    );
    return { asked, release: () => release() };
  }

  async start(): Promise<void> {
    const udp = createSocket('udp4', (message, from) => {
      void this.answer(message, (answer) => {
        udp.send(answer.length > mostOverUdp ? truncated(message) : answer, from.port, from.address);
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
      // The number was free for datagrams, but not for connections.
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
        this.overTcp++;
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
    await this.gates.get(name);
    const said = this.said.get(name) ?? { rcode: 'NXDOMAIN' };
    if (said === 'silence') return;
    if (said === 'garbage') {
      send(Buffer.concat([message.subarray(0, 2), Buffer.from('8400000100ffffffffffff', 'hex')]));
      return;
    }
    const rcode = 'rcode' in said ? rcodes[said.rcode] : 0;
    const flags = dns.AUTHORITATIVE_ANSWER | dns.RECURSION_AVAILABLE | rcode;
    send(dns.encode({ type: 'response', id, flags, questions, answers: this.records(name, said) }));
  }

  /** An alias is followed, as a resolver does it. */
  private records(name: string, said: Said | undefined): dns.Answer[] {
    if (typeof said !== 'object' || 'rcode' in said) return [];
    if ('txt' in said) return said.txt.map((strings) => ({ type: 'TXT', name, ttl: 0, data: [...strings] }));
    return [{ type: 'CNAME', name, ttl: 0, data: said.cname }, ...this.records(said.cname, this.said.get(said.cname))];
  }
}

function truncated(message: Buffer): Buffer {
  const { id, questions } = dns.decode(message);
  return dns.encode({ type: 'response', id, flags: dns.AUTHORITATIVE_ANSWER | dns.TRUNCATED_RESPONSE, questions });
}

/** One name server for all tests of a file; to be asked for before the API that asks it. */
export function useDnsServer(): DnsServer {
  const server = new DnsServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  return server;
}
