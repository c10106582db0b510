import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import type { Socket } from 'node:net';
import { canonicalIp } from '../../kernel/cidr';
import { withinTime } from '../../kernel/within-time';
import { connected } from './dialler';
import { dnsQuery, type DnsQuestion, type DnsReply, readDnsMessage } from './dns-message';
import type { Egress } from './egress';
import { type Endpoint, endpointText } from './endpoint';
import { codeOf, ExchangeError, failureOf } from './exchange';
import type { ExchangeClock } from './exchange-clock';
import type { RateLimiter } from './rate-limiter';

const DNS_PORT = 53;
const UDP_ATTEMPTS = 2;
const UDP_MS = 2_000;
const TCP_MS = 4_000;
/** After this many packets that are not a reply to the question, the server counts as silent. */
const MOST_STRAY_PACKETS = 50;

/** Why there is no reply. */
export type NoReply = 'silent' | 'no_route';

interface Asking {
  readonly signal: AbortSignal;
  readonly clock: ExchangeClock;
}

/** Queries name servers directly, without recursion. Their replies are untrusted. */
export class NameServers {
  constructor(
    private readonly egress: Egress,
    private readonly rateLimiter: RateLimiter,
    private readonly port = DNS_PORT,
  ) {}

  endpointAt(address: string): Endpoint {
    return { address: canonicalIp(address) ?? address, port: this.port };
  }

  /** Why the server may not be queried for an organization, or null. */
  refusal(endpoint: Endpoint, organizationId?: number): Promise<string | null> {
    return this.egress.refusal(endpoint, organizationId);
  }

  async ask(
    endpoint: Endpoint,
    question: DnsQuestion,
    { signal, clock }: Asking,
    organizationId?: number,
  ): Promise<DnsReply | NoReply> {
    const refusal = await this.refusal(endpoint, organizationId);
    if (refusal !== null) throw new ExchangeError('egress', refusal);
    const leave = await clock.whileWaiting(() =>
      this.rateLimiter.acquire(`dns ${endpointText(endpoint)}`, signal, undefined, organizationId),
    );
    try {
      return await replyOf(endpoint, question, signal);
    } finally {
      leave();
    }
  }
}

async function replyOf(endpoint: Endpoint, question: DnsQuestion, signal: AbortSignal): Promise<DnsReply | NoReply> {
  let reply: DnsReply | NoReply | 'repeat over TCP' = 'silent';
  for (let attempt = 0; attempt < UDP_ATTEMPTS && reply === 'silent'; attempt += 1) {
    signal.throwIfAborted();
    reply = await overUdp(endpoint, question, signal);
  }
  return reply === 'repeat over TCP' ? overTcp(endpoint, question, signal) : reply;
}

/** From a random port, and connected, so that the system drops packets from other addresses. */
function overUdp(
  { address, port }: Endpoint,
  question: DnsQuestion,
  signal: AbortSignal,
): Promise<DnsReply | NoReply | 'repeat over TCP'> {
  return new Promise((resolve) => {
    const id = randomInt(0x1_0000);
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    let strayPackets = 0;
    const settle = (reply: DnsReply | NoReply | 'repeat over TCP'): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      socket.removeAllListeners().on('error', () => {});
      socket.close();
      resolve(reply);
    };
    const giveUp = (): void => settle('silent');
    const timer = setTimeout(giveUp, UDP_MS);
    signal.addEventListener('abort', giveUp, { once: true });
    socket.on('error', (error) => settle(failureOf(error)?.code === 'no_route' ? 'no_route' : 'silent'));
    socket.on('message', (message) => {
      const reply = readDnsMessage(message, question, id, false);
      if (reply !== 'not the reply') return settle(reply);
      strayPackets += 1;
      if (strayPackets >= MOST_STRAY_PACKETS) giveUp();
    });
    socket.on('connect', () => socket.send(dnsQuery(question, id, false)));
    socket.connect(port, address);
  });
}

async function overTcp(endpoint: Endpoint, question: DnsQuestion, caller: AbortSignal): Promise<DnsReply | NoReply> {
  const signal = withinTime(caller, TCP_MS);
  const id = randomInt(0x1_0000);
  let socket: Socket | null = null;
  try {
    socket = await connected(endpoint, TCP_MS, signal);
    const message = await messageFrom(socket, dnsQuery(question, id, true), signal);
    const reply = readDnsMessage(message, question, id, true);
    return typeof reply === 'string' ? 'silent' : reply;
  } catch (error) {
    if (!signal.aborted && failureOf(error) === null && !STREAM_ENDS.has(codeOf(error))) throw error;
    return 'silent';
  } finally {
    socket?.destroy();
  }
}

const STREAM_ENDS: ReadonlySet<string> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'AbortError']);

/** One message after its length prefix. */
async function messageFrom(socket: Socket, query: Buffer, signal: AbortSignal): Promise<Buffer> {
  const end = (): void => void socket.destroy();
  signal.addEventListener('abort', end, { once: true });
  const length = Buffer.alloc(2);
  length.writeUInt16BE(query.length);
  socket.write(Buffer.concat([length, query]));
  let received = Buffer.alloc(0);
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk]);
    if (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) break;
  }
  signal.removeEventListener('abort', end);
  return received.subarray(2, 2 + (received.length < 2 ? 0 : received.readUInt16BE(0)));
}
