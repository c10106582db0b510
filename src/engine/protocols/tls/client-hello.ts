import { randomBytes } from 'node:crypto';
import type { Probe } from '../../probe';
import { isAddress, type Target } from '../../target';
import { ExchangeFailed, type FailureCode } from '../../transport/exchange';
import { MODERN_SUITES } from './cipher-suites';

/** Built by hand, because Node's TLS library cannot offer RC4, 3DES and export keys. */
export interface Hello {
  /** The newest offered version, as it is encoded. */
  readonly version: number;
  readonly suites: readonly number[];
  /** Offers HTTP/2 and HTTP/1.1. A load balancer may route clients that do this to other servers. */
  readonly offersHttp2?: boolean;
}

export const TLS_1_1 = 0x0302;
export const TLS_1_2 = 0x0303;

/** The reply to a ClientHello. */
export type ServerReply =
  | { readonly kind: 'chosen'; readonly version: number; readonly suite: number }
  | { readonly kind: 'refused'; readonly how: string }
  | { readonly kind: 'hung up' }
  | { readonly kind: 'other' };

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
/** A list of bytes after its length. */
const lengthPrefixed = (content: Buffer): Buffer => Buffer.concat([uint16(content.length), content]);
const extension = (type: number, content: Buffer): Buffer => Buffer.concat([uint16(type), lengthPrefixed(content)]);
const numbers = (...values: number[]): Buffer => lengthPrefixed(Buffer.concat(values.map(uint16)));

const serverName = (host: string): Buffer =>
  extension(0, lengthPrefixed(Buffer.concat([Buffer.from([0]), lengthPrefixed(Buffer.from(host))])));
const curves = extension(10, numbers(0x0017, 0x0018, 0x0019, 0x001d));
const pointFormats = extension(11, Buffer.from([1, 0]));
const signatures = extension(
  13,
  numbers(0x0403, 0x0503, 0x0603, 0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601, 0x0203, 0x0201, 0x0202),
);
const protocols = extension(
  16,
  lengthPrefixed(
    Buffer.concat(['h2', 'http/1.1'].map((name) => Buffer.concat([Buffer.from([name.length]), Buffer.from(name)]))),
  ),
);
/** Signals secure renegotiation, which some servers require. */
const SAFE_RENEGOTIATION = 0x00ff;

export function clientHello(host: string, { version, suites, offersHttp2 = false }: Hello): Buffer {
  const extensions = [
    curves,
    pointFormats,
    signatures,
    ...(isAddress(host) ? [] : [serverName(host)]),
    ...(offersHttp2 ? [protocols] : []),
  ];
  const body = Buffer.concat([
    uint16(version),
    randomBytes(32),
    Buffer.from([0]),
    numbers(...suites, SAFE_RENEGOTIATION),
    Buffer.from([1, 0]),
    lengthPrefixed(Buffer.concat(extensions)),
  ]);
  const message = Buffer.concat([Buffer.from([1, 0]), lengthPrefixed(body)]);
  return Buffer.concat([Buffer.from([0x16, 0x03, 0x01]), lengthPrefixed(message)]);
}

const ALERT = 0x15;
const HANDSHAKE = 0x16;
const SERVER_HELLO = 2;
const RECORD_HEAD = 5;

/**
 * Alerts that refuse what was offered; all others may have temporary reasons. OpenSSL 3 answers with an internal error if its own
 * rules forbid the signatures of old versions.
 */
const REFUSALS: Readonly<Record<number, string>> = {
  40: 'handshake failure',
  70: 'protocol version',
  71: 'insufficient security',
  80: 'internal error',
};

/** Whether the first record is complete. Bytes that are not TLS count as complete. */
const complete = (reply: Buffer): boolean =>
  reply.length >= RECORD_HEAD &&
  ((reply[0] !== ALERT && reply[0] !== HANDSHAKE) || reply.length >= RECORD_HEAD + reply.readUInt16BE(3));

function serverReply(reply: Buffer): ServerReply {
  const record = reply.subarray(RECORD_HEAD, RECORD_HEAD + reply.readUInt16BE(3));
  if (reply[1] !== 3) return { kind: 'other' };
  if (reply[0] === ALERT) {
    const alert = REFUSALS[record[1] ?? -1];
    return alert === undefined ? { kind: 'other' } : { kind: 'refused', how: alert };
  }
  // Type and length (4), version (2), random (32), session id (1 and its length), suite (2).
  const suiteAt = 39 + (record[38] ?? 0);
  if (reply[0] !== HANDSHAKE || record[0] !== SERVER_HELLO || record.length < suiteAt + 2) return { kind: 'other' };
  return { kind: 'chosen', version: record.readUInt16BE(4), suite: record.readUInt16BE(suiteAt) };
}

const CLOSED_CODES: ReadonlySet<FailureCode> = new Set(['closed', 'reset']);

/** Whether the server closed the connection after the ClientHello without any data. */
const isConnectionClosed = ({ exchange, failure }: ExchangeFailed): boolean =>
  CLOSED_CODES.has(failure.code) && exchange.sent !== '' && exchange.bytes === 0;

/** Sends one ClientHello and returns the reply. */
export async function answerTo(probe: Probe, host: string, hello: Hello): Promise<ServerReply> {
  try {
    const send = clientHello(host, { ...hello, offersHttp2: probe.offersHttp2 });
    const [reply = Buffer.alloc(RECORD_HEAD)] = await probe.tcp([{ send, complete }]);
    return serverReply(reply);
  } catch (error) {
    if (error instanceof ExchangeFailed && isConnectionClosed(error)) return { kind: 'hung up' };
    throw error;
  }
}

/** Whether the server accepts modern TLS: from a real client, and with a ClientHello like ours, which a firewall may block. */
async function acceptsModernTls(probe: Probe, host: string): Promise<boolean> {
  const handshake = await probe.tls({ minVersion: 'TLSv1.2' });
  if (handshake.state !== 'agreed') return false;
  const { kind } = await answerTo(probe, host, { version: TLS_1_2, suites: MODERN_SUITES });
  return kind === 'chosen' || kind === 'refused';
}

export const CONNECTION_CLOSED = 'it closes the connection';

/**
 * Sends a ClientHello and reads the first record of the reply. A closed connection counts as a refusal if it happens twice and
 * the server then accepts modern TLS.
 */
export async function sendHello(probe: Probe, { host }: Target, hello: Hello): Promise<ServerReply> {
  for (let hangUps = 0; hangUps < 2; hangUps += 1) {
    const reply = await answerTo(probe, host, hello);
    if (reply.kind !== 'hung up') return reply;
  }
  return (await acceptsModernTls(probe, host)) ? { kind: 'refused', how: CONNECTION_CLOSED } : { kind: 'hung up' };
}
