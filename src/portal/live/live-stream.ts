import type { Response } from 'express';
import { PeriodicTask } from '../../platform/work/periodic-task';

/** How often the rights are checked again: they end within five seconds. The comment that is sent then also keeps the connection open. */
const CHECK_MS = 4_000;
/** The browser connects again, so that no connection stays for ever. */
const MAX_AGE_MS = 600_000;
/** A browser that does not read is disconnected. */
const MAX_UNREAD_BYTES = 1_048_576;

/** One response with server-sent events. */
export class LiveStream {
  private readonly checks: PeriodicTask;
  private readonly opened = performance.now();

  constructor(
    private readonly response: Response,
    requireAccess: () => Promise<unknown>,
  ) {
    // Proxies must not collect the events before they pass them on.
    response.setHeader('X-Accel-Buffering', 'no');
    response.setHeader('Cache-Control', 'no-store, no-transform');
    // With the stream, so that a server that stops does not wait for an idle connection.
    response.setHeader('Connection', 'close');
    response.status(200).type('text/event-stream');
    response.flushHeaders();
    this.checks = new PeriodicTask(
      CHECK_MS,
      async () => {
        await requireAccess();
        if (performance.now() - this.opened > MAX_AGE_MS) this.close();
        else this.write(':\n\n');
      },
      () => this.close(),
    );
    response.once('close', () => void this.checks.stop());
  }

  send(html: string): void {
    const lines = html.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
    this.write(`${lines.join('')}\n`);
  }

  /** The work has ended, so the browser does not connect again. */
  end(): void {
    this.write('event: end\ndata:\n\n');
    this.close();
  }

  close(): void {
    if (!this.response.writableEnded) this.response.end();
  }

  private write(text: string): void {
    if (this.response.writableEnded) return;
    this.response.write(text);
    if (this.response.writableLength > MAX_UNREAD_BYTES) this.response.destroy();
  }
}
