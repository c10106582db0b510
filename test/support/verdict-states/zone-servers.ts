import * as dns from 'dns-packet';
import type { Socket } from 'node:dgram';
import type { Server, Socket as Connection } from 'node:net';
import type { StateNetwork } from './network';

const TYPES = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'SOA', 'TXT'] as const;
type Type = (typeof TYPES)[number];

/** The records of a name by type. TXT records are one string each, CAA records have the form `issue ca.example`. */
export type Records = Readonly<Partial<Record<Type, readonly string[]>>>;

/** What a server says of a name. `truncated` cuts answers over UDP. */
export type Said = (Records & { readonly truncated?: true }) | 'nonexistent' | 'servfail' | 'refused' | 'silent';

/** A view of names; what it does not have is looked up in the view behind it. */
export type View = Map<string, Said | (() => Said)>;

/** The servers of all tested zones: three with IPv4 and IPv6. `resolver` is the one that the worker is configured with. */
export const ROLES = ['resolver', 'parent', 'first', 'second', 'third', 'first6', 'second6', 'third6'] as const;
export type ServerRole = (typeof ROLES)[number];
export const AUTHORITIES = ['first', 'second', 'third'] as const;

const RCODES = { nonexistent: 3, servfail: 2, refused: 5 } as const;
const MAX_UDP_BYTES = 1232;
const TTL = 1;

const chunks = (text: string): string[] => text.match(/[^]{1,255}/g) ?? [''];

function answerOf(type: Type, name: string, line: string): dns.Answer {
  if (type === 'TXT') return { type, name, ttl: TTL, data: chunks(line) };
  if (type === 'MX') return { type, name, ttl: TTL, data: { preference: 10, exchange: line } };
  if (type === 'SOA') return { type, name, ttl: TTL, data: { mname: line, rname: `hostmaster.${name}`, serial: 1 } };
  if (type === 'CAA') {
    const [tag = '', ...value] = line.split(' ');
    return { type, name, ttl: TTL, data: { flags: 0, tag: tag as 'issue', value: value.join(' ') } };
  }
  return { type, name, ttl: TTL, data: line };
}

/** Name servers at port 53 in the network, over UDP and TCP, each with its own view of the names. */
export class ZoneServers {
  /** What all servers say unless they have a view of their own. */
  readonly common: View = new Map();
  private readonly views = new Map<ServerRole, View>();
  readonly addresses = {} as Record<ServerRole, string>;
  private readonly closers: (() => void)[] = [];

  static async open(network: StateNetwork): Promise<ZoneServers> {
    const servers = new ZoneServers();
    for (const role of ROLES) {
      const twin = role.endsWith('6') ? (role.slice(0, -1) as ServerRole) : null;
      const address = twin === null ? network.nextAddress() : network.version6Of(servers.addresses[twin]);
      servers.addresses[role] = address;
      servers.serveUdp(role, await network.bind(address, 53));
      servers.serveTcp(role, await network.listen(address, 53));
    }
    return servers;
  }

  view(role: ServerRole): View {
    const view = this.views.get(role) ?? (new Map() as View);
    this.views.set(role, view);
    return view;
  }

  close(): void {
    for (const close of this.closers) close();
  }

  private serveUdp(role: ServerRole, socket: Socket): void {
    this.closers.push(() => socket.close());
    socket.on('message', (message, from) => {
      const reply = this.reply(role, message, false);
      if (reply !== null) socket.send(reply, from.port, from.address);
    });
  }

  private serveTcp(role: ServerRole, server: Server): void {
    this.closers.push(() => server.close());
    server.on('connection', (connection: Connection) => {
      connection.on('error', () => connection.destroy());
      connection.on('data', (bytes) => {
        const reply = this.reply(role, bytes.subarray(2), true);
        if (reply === null) return;
        const length = Buffer.alloc(2);
        length.writeUInt16BE(reply.length);
        connection.write(Buffer.concat([length, reply]));
      });
    });
  }

  private said(role: ServerRole, name: string): Said {
    // A server has one set of zones at both of its addresses, unless the IPv6 one has a view of its own.
    const twin = role.endsWith('6') ? (role.slice(0, -1) as ServerRole) : role;
    const said = this.view(role).get(name) ?? this.view(twin).get(name) ?? this.common.get(name) ?? 'nonexistent';
    return typeof said === 'function' ? said() : said;
  }

  private reply(role: ServerRole, message: Buffer, isTcp: boolean): Buffer | null {
    const { id, questions = [] } = dns.decode(message);
    const [question] = questions;
    const name = question?.name.toLowerCase() ?? '';
    const said = this.said(role, name);
    if (said === 'silent') return null;
    const start = { type: 'response', id, questions } as const;
    if (
      role === 'parent' &&
      typeof said === 'object' &&
      said.NS !== undefined &&
      said.SOA !== undefined &&
      name.split('.').length > 2
    )
      return dns.encode({ ...start, authorities: said.NS.map((line) => answerOf('NS', name, line)) });
    if (typeof said === 'string') return dns.encode({ ...start, flags: dns.AUTHORITATIVE_ANSWER | RCODES[said] });
    const answers = this.answers(role, name, question?.type as Type, said);
    const whole = dns.encode({ ...start, flags: dns.AUTHORITATIVE_ANSWER | dns.RECURSION_AVAILABLE, answers });
    if (isTcp || (said.truncated === undefined && whole.length <= MAX_UDP_BYTES)) return whole;
    return dns.encode({ ...start, flags: dns.AUTHORITATIVE_ANSWER | dns.TRUNCATED_RESPONSE });
  }

  /** With the records that an alias leads to. */
  private answers(role: ServerRole, name: string, type: Type, said: Said): dns.Answer[] {
    if (typeof said === 'string') return [];
    const [alias] = said.CNAME ?? [];
    if (alias !== undefined && type !== 'CNAME')
      return [answerOf('CNAME', name, alias), ...this.answers(role, alias, type, this.said(role, alias))];
    return (said[type] ?? []).map((line) => answerOf(type, name, line));
  }
}
