import { type Frame, FRAME, ProtocolError } from './frame';

const SMALL_BYTES = 1_024;
const MAX_SMALL_FRAMES = 20_000;
const SMALL_FRAMES_MS = 5_000;
/** Of a message after the first one, which lists the interfaces of an agent. */
const MAX_MESSAGE_BYTES = 4_096;
const MAX_CONTROLS = 10;
/** An honest agent answers at most 64 questions at a time, with about 100 bytes each. */
const MAX_MESSAGES_BYTES = 1_048_576;
const SECOND_MS = 1_000;

type Clock = () => number;

/** An amount for each window of time. A window begins with the first use after the previous one has ended. */
class Allowance {
  private since = -Infinity;
  private used = 0;

  constructor(
    private readonly amount: number,
    private readonly ms: number,
    private readonly now: Clock,
  ) {}

  /** False if there is not that much left. */
  take(count: number): boolean {
    const now = this.now();
    if (now - this.since >= this.ms) {
      this.since = now;
      this.used = 0;
    }
    this.used += count;
    return this.used <= this.amount;
  }
}

export interface InboundLimitOptions {
  /** False for an agent: the service may send it any number of networks. */
  readonly areMessagesLimited?: boolean;
  /** In milliseconds. It never goes back. */
  readonly now?: Clock;
}

/**
 * How much the other side of one connection may send. The windows of the streams limit their data. All other frames are
 * messages, and parsing them costs the process time that its other connections need.
 */
export class InboundLimits {
  private readonly areMessagesLimited: boolean;
  private readonly smallFrames: Allowance;
  private readonly controls: Allowance;
  private readonly messageBytes: Allowance;
  private hasGreeted = false;

  constructor({ areMessagesLimited = true, now = () => performance.now() }: InboundLimitOptions = {}) {
    this.areMessagesLimited = areMessagesLimited;
    this.smallFrames = new Allowance(MAX_SMALL_FRAMES, SMALL_FRAMES_MS, now);
    this.controls = new Allowance(MAX_CONTROLS, SECOND_MS, now);
    this.messageBytes = new Allowance(MAX_MESSAGES_BYTES, SECOND_MS, now);
  }

  /** Throws an error if the frame is one too many. Called before any of it is parsed. */
  count({ type, payload: { length } }: Frame): void {
    // A small frame costs as much as a large one.
    if (length < SMALL_BYTES && !this.smallFrames.take(1)) throw new ProtocolError('too many small frames');
    if (type !== FRAME.data && this.areMessagesLimited) this.countMessage(type, length);
  }

  private countMessage(type: number, length: number): void {
    if (length > MAX_MESSAGE_BYTES && (this.hasGreeted || type !== FRAME.control))
      throw new ProtocolError(`a message is longer than ${MAX_MESSAGE_BYTES} bytes`);
    if (!this.messageBytes.take(length)) throw new ProtocolError('more than 1 MiB of messages in a second');
    if (type !== FRAME.control) return;
    this.hasGreeted = true;
    if (!this.controls.take(1)) throw new ProtocolError(`more than ${MAX_CONTROLS} control messages in a second`);
  }
}
