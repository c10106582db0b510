import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { Injectable } from '@nestjs/common';
import { Dialler, Egress, type Endpoint, limitInformational, Resolver } from '../../../engine';
import { isPublicAddress } from '../../../kernel/address-ranges';
import { canonicalIp } from '../../../kernel/cidr';
import { invalid } from '../../../kernel/domain-error';
import { type EgressEntry, isEntryFor } from '../../../kernel/egress-entry';
import { hostOf, portOf, requireWebUrl } from '../../../kernel/web-url';
import { Config } from '../../../platform/config/load-config';
import { ownListeners } from '../../../platform/config/own-listeners';
import { notAllowed, type OutboundError, outboundErrorOf, switched, tlsFailed, tooLong } from './outbound-errors';

export type OutboundMethod = 'GET' | 'POST' | 'PUT' | 'PATCH';

export interface OutboundRequest {
  /** Whose entries of WEBHOOK_ALLOW count. */
  readonly organizationId: number;
  readonly url: string;
  readonly method?: OutboundMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends it early: then `post` throws. */
  readonly signal?: AbortSignal;
  /** The limit of an answer that is kept; a megabyte by default. */
  readonly maxBytes?: number | undefined;
}

interface Answered {
  /** A redirect is not followed. */
  readonly status: number;
  /** What the header Retry-After says, in seconds. */
  readonly retryAfter?: number;
}

/** The whole of an answer, or why there is none. */
export type OutboundContent =
  | (Answered & { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer<ArrayBuffer> })
  | { readonly error: OutboundError };

export type OutboundAnswer = (Answered | { readonly error: OutboundError }) & { readonly ms: number };

/** From the look-up of the name to the end of the answer. */
const TOTAL_MS = 10_000;
const CONNECT_MS = 5_000;
/** More of an answer is not read. */
const MAX_ANSWER_BYTES = 65_536;
const MAX_CONTENT_BYTES = 1_000_000;

/**
 * Sends requests to receivers that tenants name: to public addresses, or to those that the operator allows, checked at the address
 * that is dialled. Follows no redirects.
 */
@Injectable()
export class OutboundRequests {
  private readonly allowed: readonly EgressEntry[];
  private readonly dialler: Dialler;

  constructor(config: Config) {
    this.allowed = config.WEBHOOK_ALLOW;
    const trustSingleAddresses = config.NODE_ENV !== 'production';
    const own = { ownListeners: ownListeners(config), callbackDomain: config.CALLBACK_DOMAIN };
    const egress = new Egress({ allow: this.allowed, ...own, trustSingleAddresses });
    this.dialler = new Dialler(egress, new Resolver(config.DNS_SERVERS), CONNECT_MS);
  }

  /**
   * Throws if nothing can ever be sent to this host. It does not look up names. The port is compared only when a request is sent:
   * this error would show which ports the operator allows.
   */
  requireUrl(text: string, organizationId: number, field = 'url'): void {
    const url = requireWebUrl(text, field);
    const entries = this.allowed.filter((entry) => isEntryFor(entry, organizationId));
    const address = canonicalIp(hostOf(url));
    const isListed = address === null ? entries.length > 0 : entries.some((entry) => contains(entry, address));
    if (url.protocol === 'http:' && !isListed)
      throw invalid(`${field} must begin with https://: http is only for addresses in the operator's WEBHOOK_ALLOW.`);
    if (address !== null && !isPublicAddress(address) && !isListed)
      throw invalid(
        `${field} must lead to a public address. Ask the operator to add this one to WEBHOOK_ALLOW if it is yours.`,
      );
  }

  /** Keeps nothing of the answer but its status. */
  async post(request: OutboundRequest): Promise<OutboundAnswer> {
    const started = performance.now();
    const answer = await this.answerTo({ method: 'POST', ...request }, async (response) => {
      await discarded(response);
      return answeredBy(response);
    });
    return { ...answer, ms: Math.round(performance.now() - started) };
  }

  /** With the answer. */
  fetch(request: OutboundRequest): Promise<OutboundContent> {
    return this.answerTo(request, async (response) => ({
      ...answeredBy(response),
      headers: { 'content-type': response.headers['content-type'] ?? '' },
      body: await contentOf(response, request.maxBytes ?? MAX_CONTENT_BYTES),
    }));
  }

  private async answerTo<T>(request: OutboundRequest, read: Read<T>): Promise<T | { readonly error: OutboundError }> {
    const deadline = AbortSignal.timeout(TOTAL_MS);
    const signal = request.signal === undefined ? deadline : AbortSignal.any([deadline, request.signal]);
    try {
      return await this.send(request, signal, read);
    } catch (error) {
      request.signal?.throwIfAborted();
      return { error: deadline.aborted ? 'timeout' : outboundErrorOf(error) };
    }
  }

  private async send<T>(request: OutboundRequest, signal: AbortSignal, read: Read<T>): Promise<T> {
    const { organizationId, method = 'GET', headers, body } = request;
    const url = requireWebUrl(request.url, 'url');
    const place = { host: hostOf(url), port: portOf(url) };
    const rules = { organizationId };
    const found = await this.dialler.endpoints(place, signal, rules);
    const endpoints = url.protocol === 'https:' ? found : found.filter((one) => this.isListed(one, organizationId));
    if (endpoints.length === 0) throw notAllowed();
    const { socket } = await this.dialler.dial(place.host, endpoints, signal, rules);
    try {
      const connection = url.protocol === 'https:' ? await secured(socket, place.host, signal) : socket;
      return await exchanged(connection, { url, method, headers, body, signal }, read);
    } finally {
      socket.destroy();
    }
  }

  private isListed({ address, port }: Endpoint, organizationId: number): boolean {
    return this.allowed.some(
      (entry) => entry.port === port && isEntryFor(entry, organizationId) && contains(entry, address),
    );
  }
}

const contains = ({ address }: EgressEntry, canonical: string): boolean =>
  typeof address === 'string' ? address === canonical : address.contains(canonical);

/** TLS on the connection, with a valid certificate for the host. */
function secured(socket: Duplex, host: string, signal: AbortSignal): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const servername = canonicalIp(host) === null ? host : undefined;
    const secure = connectTls({ socket, host, servername, ALPNProtocols: ['http/1.1'] });
    const abort = (): void => void secure.destroy(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    const settle = (outcome: () => void): void => {
      signal.removeEventListener('abort', abort);
      outcome();
    };
    // A certificate that is not trusted has many codes. The listener stays, for errors that come later.
    secure.on('error', () => settle(() => reject(tlsFailed())));
    secure.once('secureConnect', () => settle(() => resolve(secure)));
  });
}

type Read<T> = (response: IncomingMessage) => Promise<T>;

interface Message {
  readonly url: URL;
  readonly method: OutboundMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

function exchanged<T>(connection: Duplex, { url, method, headers, body, signal }: Message, read: Read<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({
      method,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body), connection: 'close' },
      createConnection: () => connection,
      signal,
    });
    sent.once('error', reject);
    limitInformational(sent);
    // Without these, an answer that changes the protocol would go unnoticed.
    sent.once('upgrade', () => reject(switched()));
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    sent.once('response', (response) => {
      read(response).then(resolve, reject);
    });
    sent.end(body);
  });
}

/** Reads to the end or to the limit, so that the receiver can send its whole answer without an error. */
async function discarded(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_ANSWER_BYTES) return;
  }
}

async function contentOf(response: IncomingMessage, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes) throw tooLong();
  }
  return Buffer.concat(chunks);
}

function answeredBy({ statusCode = 0, headers }: IncomingMessage): Answered {
  const seconds = secondsOf(headers['retry-after']) ?? secondsUntilReset(headers);
  return { status: statusCode, ...(seconds !== undefined && { retryAfter: seconds }) };
}

/** GitHub says with a 403 that the requests of an hour are used up, and when the next hour begins. */
function secondsUntilReset(headers: IncomingMessage['headers']): number | undefined {
  if (headers['x-ratelimit-remaining'] !== '0') return undefined;
  const reset = Number(headers['x-ratelimit-reset']);
  return Number.isSafeInteger(reset) ? Math.max(1, Math.ceil(reset - Date.now() / 1_000)) : undefined;
}

/** Seconds, or a date. */
function secondsOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - Date.now()) / 1_000));
}
