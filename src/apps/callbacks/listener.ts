import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { isIP, isIPv6, type Socket } from 'node:net';
import { parse } from 'ipaddr.js';
import type { TLSSocket } from 'node:tls';
import { callbackLabelOf } from '../../kernel/callback-name';
import { dnsAnswer, type Zone } from './dns-answer';
import type { Call, CallResult, Protocol } from './recorder';
import { SourceConnections, SourceLimit } from './source-limit';

export interface ListenerSettings {
  readonly domain: string;
  readonly key: Buffer;
  readonly addresses: readonly string[];
  readonly host: string;
  readonly ports: Readonly<Record<Protocol, number>>;
  /** Without it there is no HTTPS. */
  readonly certificate: { readonly cert: string; readonly key: string } | null;
}

const MOST_PER_SECOND = 50;
const MOST_CONNECTIONS = 500;
const MOST_OF_SOURCE = 20;
const LONGEST_MS = 5_000;
const LARGEST_HEADER = 8_192;

const bytesOf = (address: string): Buffer => Buffer.from(parse(address).toByteArray());
const plain = (address: string): string => address.replace(/^::ffff:/i, '');

/** The servers that targets call. Nothing of a call is kept but its name, protocol and source. */
export class Listener {
  /** Names that others invent use up nothing that real calls need, and neither do the calls of another name. */
  private readonly ofForeign = new SourceLimit(MOST_PER_SECOND);
  private readonly ofOwn = new SourceLimit(MOST_PER_SECOND);
  private readonly connections = new SourceConnections(MOST_OF_SOURCE);
  private readonly zone: Zone;
  private readonly dns: UdpSocket;
  /** Of handshakes. */
  private readonly sources = new WeakMap<TLSSocket, string>();
  private readonly servers: Partial<Record<'http' | 'https', Server>>;

  constructor(
    private readonly settings: ListenerSettings,
    private readonly record: (call: Call) => void,
    private readonly count: (protocol: Protocol, result: CallResult) => void,
  ) {
    const { domain, key, addresses, certificate, host } = settings;
    const has = (name: string): boolean => callbackLabelOf(name, domain, key) !== null;
    this.zone = { domain, addresses: addresses.map(bytesOf), has };
    this.dns = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    const limits = { requestTimeout: LONGEST_MS, headersTimeout: LONGEST_MS, maxHeaderSize: LARGEST_HEADER };
    this.servers = {
      http: createServer(limits, this.answer('http')),
      ...(certificate !== null && {
        https: createSecureServer({ ...limits, ...certificate, handshakeTimeout: LONGEST_MS }, this.answer('https')),
      }),
    };
  }

  get protocols(): readonly Protocol[] {
    return ['dns', ...(Object.keys(this.servers) as Protocol[])];
  }

  /** Returns the ports, by protocol. */
  async start(): Promise<Readonly<Partial<Record<Protocol, number>>>> {
    const { host, ports } = this.settings;
    this.dns.on('message', (message, { address, port }) => this.asked(message, address, port));
    this.dns.on('error', () => undefined);
    this.dns.bind(ports.dns, host);
    await once(this.dns, 'listening');
    const bound: Partial<Record<Protocol, number>> = { dns: this.dns.address().port };
    for (const [protocol, server] of Object.entries(this.servers) as ['http' | 'https', Server][]) {
      server.maxConnections = MOST_CONNECTIONS;
      // A connection lives for seconds, whatever it sends or waits for.
      server.on('connection', (socket: Socket) => {
        const isAllowed = this.connections.add(plain(socket.remoteAddress ?? ''), socket);
        if (!isAllowed) this.count(protocol, 'limited');
        const timer = setTimeout(() => socket.destroy(), isAllowed ? LONGEST_MS : 0);
        socket.on('close', () => clearTimeout(timer)).on('error', () => undefined);
      });
      // During the handshake, because a socket that has failed no longer has its address.
      server.on('keylog', (_line, socket: TLSSocket) => {
        if (!this.sources.has(socket)) this.sources.set(socket, plain(socket.remoteAddress ?? ''));
      });
      server.on('secureConnection', (socket: TLSSocket) => this.greeted(socket));
      server.on('tlsClientError', (_error, socket: TLSSocket) => {
        this.greeted(socket);
        socket.destroy();
      });
      server.on('clientError', (_error, socket) => socket.destroy());
      server.listen(ports[protocol], host);
      await once(server, 'listening');
      const address = server.address();
      if (address !== null && typeof address === 'object') bound[protocol] = address.port;
    }
    return bound;
  }

  async stop(): Promise<void> {
    this.dns.close();
    for (const server of Object.values(this.servers)) {
      server.close();
      server.closeAllConnections();
    }
  }

  /** Whatever a packet is, the listener goes on. Nothing can be sent to port 0. */
  private asked(message: Buffer, address: string, port: number): void {
    if (port === 0) return this.count('dns', 'foreign');
    try {
      const answered = dnsAnswer(message, this.zone);
      if (answered === null) return this.count('dns', 'foreign');
      const source = plain(address);
      if (!this.allows('dns', source, answered.name)) return;
      // A socket of IPv6 sends only to the address as it was received.
      this.dns.send(answered.message, port, address, () => undefined);
      this.called(answered.name, 'dns', source);
    } catch {
      this.count('dns', 'lost');
    }
  }

  /** A client that refuses the certificate has called all the same: its handshake names the host. */
  private greeted(socket: TLSSocket): void {
    const source = this.sources.get(socket) ?? '';
    const name = namedIn(socket);
    if (name !== '' && this.allows('https', source, name)) this.called(name, 'https', source);
  }

  private allows(protocol: Protocol, source: string, host: string): boolean {
    const { domain, key } = this.settings;
    // The names of the zone are asked for before each call.
    const own = callbackLabelOf(host, domain, key) ?? (host === domain || host === `ns.${domain}` ? host : null);
    const isAllowed =
      isIP(source) !== 0 && (own === null ? this.ofForeign.allows(source) : this.ofOwn.allows(source, own));
    if (!isAllowed) this.count(protocol, 'limited');
    return isAllowed;
  }

  private answer(protocol: 'http' | 'https'): RequestListener {
    return (request, response) => {
      const source = plain(request.socket.remoteAddress ?? '');
      const host = hostOf(request);
      if (!this.allows(protocol, source, host)) {
        request.socket.destroy();
        return;
      }
      const isHealth = host === this.settings.domain && request.url === '/healthz';
      if (!isHealth && host !== namedIn(request.socket)) this.called(host, protocol, source);
      const body = isHealth ? this.health() : '';
      // Empty: what calls may write it into a command line or a page.
      response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': body.length, Connection: 'close' });
      response.end(body, () => request.socket.destroy());
    };
  }

  private health(): string {
    const https = this.protocols.includes('https')
      ? ''
      : ': HTTP and DNS only, because CALLBACK_CERTIFICATE is not set';
    return `ok${https}\n`;
  }

  private called(host: string, protocol: Protocol, source: string): void {
    const { domain, key } = this.settings;
    const name = callbackLabelOf(host, domain, key);
    if (name === null) this.count(protocol, 'foreign');
    else this.record({ name, protocol, source });
  }
}

/** In the handshake; empty without one. */
const namedIn = (socket: Socket & { readonly servername?: string | false | null }): string =>
  typeof socket.servername === 'string' ? socket.servername.toLowerCase() : '';

const hostOf = ({ headers: { host = '' } }: IncomingMessage): string => host.replace(/:\d+$/, '').toLowerCase();
