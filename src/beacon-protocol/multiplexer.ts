import { setMaxListeners } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Channel } from './channel';
import type { Endpoint } from './endpoint';
import {
  decodeFrame,
  decodeJson,
  encodeFrame,
  encodeJson,
  FRAME,
  type Frame,
  type FrameType,
  ProtocolError,
} from './frame';
import { InboundLimits } from './inbound-limits';
import { couple, RelayedStream, StreamResetError } from './relayed-stream';
import { failureFields, failureFrom, printable, StreamFailure } from './stream-failure';

/** Does what the other side asks for. A side without it refuses to. */
export interface Services {
  connect(endpoint: Endpoint, signal: AbortSignal): Promise<Duplex>;
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
}

export interface MultiplexerOptions {
  readonly services?: Services;
  readonly onControl?: (message: Readonly<Record<string, unknown>>) => void;
  /** Streams and requests at a time. */
  readonly maxStreams?: number;
  readonly limits?: InboundLimits;
  /** A fault of this side, which ends the connection. */
  readonly onError?: (error: unknown) => void;
}

const MAX_STREAMS = 64;
const MAX_ADDRESSES = 64;
/** The cost of a frame without data for a stream that is over. */
const STRAY_FRAME_BYTES = 16;
/** Frames without data that may be on their way to a stream when it ends. */
const STRAY_FRAMES = 8;

interface Pending<T, M> {
  readonly message: M;
  readonly settle: (outcome: T | StreamFailure) => void;
}

/**
 * Many streams over one channel. One side opens them, the other one connects. A side that sends what the protocol does not
 * allow loses the connection.
 */
export class Multiplexer {
  private readonly ended = new AbortController();
  private readonly streams = new Map<number, RelayedStream>();
  private readonly opening = new Map<number, Pending<RelayedStream, Endpoint>>();
  private readonly requests = new Map<number, Pending<string[], object>>();
  /** What runs for the other side. */
  private readonly serving = new Map<number, AbortController>();
  private readonly maxStreams: number;
  private readonly limits: InboundLimits;
  private lastId = 0;
  /** Bytes that may still arrive for streams that are over. */
  private strayAllowance = 0;

  constructor(
    private readonly channel: Channel,
    private readonly options: MultiplexerOptions = {},
  ) {
    // Each piece of work has a listener.
    setMaxListeners(0, this.closed);
    this.maxStreams = options.maxStreams ?? MAX_STREAMS;
    this.limits = options.limits ?? new InboundLimits();
  }

  /** Aborted when the channel is gone. Its reason is a `StreamFailure` with code `lost`. */
  get closed(): AbortSignal {
    return this.ended.signal;
  }

  /** Streams that are connected. */
  get openStreamCount(): number {
    return this.streams.size;
  }

  /** Streams, connected or not yet. */
  get streamCount(): number {
    return this.streams.size + this.opening.size + this.serving.size;
  }

  /** Resolves when the other side has connected. */
  async open(endpoint: Endpoint, signal: AbortSignal): Promise<RelayedStream> {
    const { address, port } = endpoint;
    return this.ask(this.opening, FRAME.open, { address, port }, signal, {
      giveUp: (id) => void this.send(FRAME.reset, id),
      discard: (stream) => stream.destroy(),
    });
  }

  async resolve(host: string, signal: AbortSignal): Promise<string[]> {
    return this.ask(this.requests, FRAME.request, { host }, signal, { giveUp: () => {}, discard: () => {} });
  }

  async sendControl(message: object): Promise<void> {
    await this.channel.send(encodeFrame(FRAME.control, 0, encodeJson(message)));
  }

  /** Resets the streams that are no longer allowed. */
  resetStreams(reason: string, isMeant: (stream: RelayedStream) => boolean = () => true): void {
    for (const stream of this.streams.values()) if (isMeant(stream)) stream.destroy(new StreamResetError(reason));
  }

  /** Called by the channel with each frame. */
  receive(bytes: Buffer): void {
    if (this.closed.aborted) return;
    try {
      const frame = decodeFrame(bytes);
      this.limits.count(frame);
      this.handle(frame);
    } catch (error) {
      if (error instanceof ProtocolError) {
        this.close(`protocol violation: ${error.message}`);
        return;
      }
      // A fault of this side ends the connection, and not the process with all others.
      this.options.onError?.(error);
      this.close('an internal error occurred');
    }
  }

  close(reason: string): void {
    if (this.closed.aborted) return;
    this.channel.close(reason);
    this.end(reason);
  }

  /** Called by the channel when it is gone: nothing that was under way ended cleanly. */
  end(reason: string): void {
    if (this.closed.aborted) return;
    const failure = new StreamFailure('lost', printable(reason));
    this.ended.abort(failure);
    for (const stream of this.streams.values()) stream.receiveReset(failure.message);
    for (const pending of [...this.opening.values(), ...this.requests.values()]) pending.settle(failure);
    for (const controller of this.serving.values()) controller.abort(failure);
    this.serving.clear();
  }

  private ask<T, M extends object>(
    pending: Map<number, Pending<T, M>>,
    type: FrameType,
    message: M,
    signal: AbortSignal,
    { giveUp, discard }: { giveUp: (id: number) => void; discard: (late: T) => void },
  ): Promise<T> {
    signal.throwIfAborted();
    this.closed.throwIfAborted();
    if (this.streamCount + this.requests.size >= this.maxStreams)
      throw new StreamFailure('unreachable', `more than ${this.maxStreams} connections at a time are not possible`);
    const id = (this.lastId += 1);
    return new Promise<T>((resolve, reject) => {
      const abort = (): void => {
        // The answer is still to come.
        pending.set(id, { message, settle: (late) => (late instanceof StreamFailure ? undefined : discard(late)) });
        giveUp(id);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abort, { once: true });
      pending.set(id, {
        message,
        settle: (outcome) => {
          signal.removeEventListener('abort', abort);
          if (outcome instanceof StreamFailure) reject(outcome);
          else resolve(outcome);
        },
      });
      void this.send(type, id, encodeJson(message));
    });
  }

  private handle({ type, id, payload }: Frame): void {
    const handler = this.handlers[type as FrameType];
    if (handler === undefined) throw new ProtocolError(`there is no frame of type ${type}`);
    handler(id, payload);
  }

  private readonly handlers: Readonly<Record<FrameType, (id: number, payload: Buffer) => void>> = {
    [FRAME.control]: (_id, payload) => {
      const message = decodeJson(payload);
      this.options.onControl?.(message);
    },
    [FRAME.open]: (id, payload) =>
      this.serve(id, decodeJson(payload), FRAME.failed, (services, message, signal) =>
        this.connect(id, services, message, signal),
      ),
    [FRAME.request]: (id, payload) =>
      this.serve(id, decodeJson(payload), FRAME.response, (services, message, signal) =>
        this.answer(id, services, message, signal),
      ),
    [FRAME.opened]: (id) => this.settle(this.opening, id, (endpoint) => this.add(id, endpoint)),
    [FRAME.failed]: (id, payload) => this.settle(this.opening, id, () => failureFrom(decodeJson(payload))),
    [FRAME.response]: (id, payload) => this.settle(this.requests, id, () => addressesIn(decodeJson(payload))),
    [FRAME.data]: (id, payload) => this.withStream(id, payload.length, (stream) => stream.receiveData(payload)),
    [FRAME.window]: (id, payload) => this.withStream(id, 0, (stream) => stream.receiveWindowOf(payload)),
    [FRAME.end]: (id) => this.withStream(id, 0, (stream) => stream.receiveEnd()),
    [FRAME.reset]: (id, payload) => this.reset(id, payload),
  };

  private reset(id: number, payload: Buffer): void {
    const serving = this.serving.get(id);
    if (serving !== undefined) {
      serving.abort(new StreamFailure('lost', 'the connection was given up'));
      return;
    }
    const reason = printable(payload.toString('utf8')) || 'the other side closed the connection';
    this.withStream(id, 0, (stream) => stream.receiveReset(reason));
  }

  private add(id: number, endpoint: Endpoint): RelayedStream {
    const output = {
      send: (type: FrameType, payload?: Buffer) => this.send(type, id, payload),
      over: (allowance: number) => {
        this.streams.delete(id);
        this.strayAllowance += allowance + STRAY_FRAMES * STRAY_FRAME_BYTES;
      },
    };
    const stream = new RelayedStream(output, endpoint);
    // Without a listener an error would end the process; readers have their own.
    stream.on('error', () => {});
    this.streams.set(id, stream);
    return stream;
  }

  private serve(
    id: number,
    message: Readonly<Record<string, unknown>>,
    refusal: FrameType,
    work: (services: Services, message: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<void>,
  ): void {
    const { services } = this.options;
    if (services === undefined) throw new ProtocolError('this side does not open connections');
    if (id <= this.lastId) throw new ProtocolError('the number of a stream was used before');
    this.lastId = id;
    const controller = new AbortController();
    const refuse = (error: unknown): Promise<void> => this.send(refusal, id, encodeJson(failureFields(error)));
    if (this.streamCount >= this.maxStreams) {
      this.strayAllowance += STRAY_FRAMES * STRAY_FRAME_BYTES;
      void refuse(new StreamFailure('unreachable', `the agent has ${this.maxStreams} connections already`));
      return;
    }
    this.serving.set(id, controller);
    void work(services, message, controller.signal)
      .catch((error: unknown) => refuse(error))
      .finally(() => {
        this.serving.delete(id);
        this.strayAllowance += STRAY_FRAMES * STRAY_FRAME_BYTES;
      });
  }

  private async connect(
    id: number,
    services: Services,
    { address, port }: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<void> {
    if (typeof address !== 'string' || !Number.isInteger(port) || Number(port) < 1 || Number(port) > 65_535)
      throw new StreamFailure('unreachable', 'the address or the port is not valid');
    const endpoint = { address, port: Number(port) };
    const target = await services.connect(endpoint, signal);
    if (signal.aborted || this.closed.aborted) {
      target.destroy();
      throw new StreamFailure('lost', 'the connection was given up');
    }
    // From here on a reset is for the stream.
    this.serving.delete(id);
    const sent = this.send(FRAME.opened, id);
    couple(target, this.add(id, endpoint));
    await sent;
  }

  private async answer(
    id: number,
    services: Services,
    { host }: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<void> {
    if (typeof host !== 'string' || host.length > 253) throw new StreamFailure('unresolved', 'the name is not valid');
    const addresses = await services.resolve(host, signal);
    await this.send(FRAME.response, id, encodeJson({ addresses: addresses.slice(0, MAX_ADDRESSES) }));
  }

  private settle<T, M>(
    pending: Map<number, Pending<T, M>>,
    id: number,
    outcome: (message: M) => T | StreamFailure,
  ): void {
    const found = pending.get(id);
    if (found === undefined) throw new ProtocolError('an answer belongs to no question');
    pending.delete(id);
    found.settle(outcome(found.message));
  }

  private withStream(id: number, bytes: number, then: (stream: RelayedStream) => void): void {
    const stream = this.streams.get(id);
    if (stream !== undefined) {
      then(stream);
      return;
    }
    if (id > this.lastId || id === 0) throw new ProtocolError('there is no such stream');
    // It was on its way while the stream ended here.
    this.strayAllowance -= bytes > 0 ? bytes : STRAY_FRAME_BYTES;
    if (this.strayAllowance < 0) throw new ProtocolError('too much data for streams that are over');
  }

  private async send(type: FrameType, id: number, payload?: Buffer): Promise<void> {
    if (this.closed.aborted) return;
    try {
      await this.channel.send(encodeFrame(type, id, payload));
    } catch {
      this.end('the connection failed');
    }
  }
}

function addressesIn(message: Readonly<Record<string, unknown>>): string[] | StreamFailure {
  const { addresses } = message;
  if (addresses === undefined) return failureFrom(message);
  if (!Array.isArray(addresses) || addresses.length > MAX_ADDRESSES || addresses.some((one) => typeof one !== 'string'))
    throw new ProtocolError('the addresses of a name are not a list');
  return addresses as string[];
}
