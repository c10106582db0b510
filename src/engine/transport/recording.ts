import { createHash } from 'node:crypto';
import { type Endpoint, endpointText } from './endpoint';
import type { Exchange, Failure, TlsFacts } from './exchange';
import { redact } from '../../kernel/redact';
import { excerpt } from './redaction';
import type { SecretValues } from './secret-values';

/** An exchange while it is running. It contains what is known so far, even if the exchange fails halfway. */
export class Recording {
  endpoint: Endpoint | null = null;
  tls: TlsFacts | null = null;
  /** How long it has waited for the rate limit of the target. */
  waitedMs = 0;
  receivedBytes = 0;
  private readonly startedAt = performance.now();
  private readonly sent: Buffer[] = [];
  private readonly received: Buffer[] = [];
  private head = '';

  constructor(
    readonly kind: Exchange['kind'],
    private readonly to: string,
    private readonly started = new Date(),
    /** The secrets of the session in which it is sent. */
    private readonly secrets?: SecretValues,
  ) {}

  /** The place as it is shown. */
  get place(): string {
    return redact(this.secrets?.redact(this.to) ?? this.to);
  }

  send(message: Buffer | string): void {
    this.sent.push(Buffer.from(message));
  }

  /** Adds the head of a response. It is shown before the received bytes, but is not part of the digest. */
  receiveHead(head: string): void {
    this.head = head;
  }

  receive(chunk: Buffer): void {
    this.received.push(chunk);
    this.receivedBytes += chunk.length;
  }

  end(failure: Failure | null): Exchange {
    const received = Buffer.concat(this.received);
    return {
      kind: this.kind,
      to: this.place,
      started: this.started.toISOString(),
      ms: Math.round(performance.now() - this.startedAt),
      address: this.endpoint && endpointText(this.endpoint),
      sent: excerpt(Buffer.concat(this.sent), undefined, this.secrets),
      received: excerpt(this.head, undefined, this.secrets) + excerpt(received, undefined, this.secrets),
      bytes: received.length,
      sha256: received.length > 0 ? createHash('sha256').update(received).digest('hex') : null,
      tls: this.tls,
      failure,
    };
  }
}
