import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isTaken } from './upgrade';

const MIN_BYTES = 256 * 1_024;
const MAX_INTERVAL_MS = 5_000;

/** When a client has begun to let the server wait, and what it had received until then. */
interface Wait {
  readonly since: number;
  readonly received: number;
}

/**
 * Disconnects clients that receive less than 256 KiB in a period in which the server waits for them. Otherwise slow clients
 * could keep responses in memory for as long as they like: one byte at a time is not idle.
 */
export class SlowReaders {
  private readonly waits = new Map<Socket, Wait | null>();
  private readonly timer: NodeJS.Timeout;
  private readonly periodMs: number;
  private readonly intervalMs: number;
  private lastCheck = performance.now();

  constructor(seconds: number) {
    this.periodMs = seconds * 1_000;
    this.intervalMs = Math.min(MAX_INTERVAL_MS, this.periodMs / 4);
    this.timer = setInterval(() => this.check(), this.intervalMs).unref();
  }

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.waits.set(socket, null);
      socket.once('close', () => this.waits.delete(socket));
    });
    server.once('close', () => clearInterval(this.timer));
  }

  private check(): void {
    const now = performance.now();
    // While this process was busy or paused, it did not send, so the clients do not have to answer for that time.
    const ownDelay = Math.max(0, now - this.lastCheck - this.intervalMs);
    this.lastCheck = now;
    for (const [socket, wait] of this.waits) {
      if (socket.writableLength === 0) {
        if (wait !== null) this.waits.set(socket, null);
        continue;
      }
      // A WebSocket has limits of its own. A request that only asks for one gets an ordinary response.
      if (isTaken(socket)) {
        this.waits.delete(socket);
        continue;
      }
      const received = socket.bytesWritten - socket.writableLength;
      if (wait === null || received - wait.received >= MIN_BYTES) this.waits.set(socket, { since: now, received });
      else if (now - wait.since - ownDelay >= this.periodMs) socket.destroy();
      else if (ownDelay > 0) this.waits.set(socket, { ...wait, since: wait.since + ownDelay });
    }
  }
}
