import { Redis, type RedisOptions } from 'ioredis';

/** Bull's names for its connections: `client` sends commands, `subscriber` receives events, `bclient` waits for the next job. */
const ROLES = ['client', 'subscriber', 'bclient'] as const;
export type ConnectionRole = (typeof ROLES)[number];

const COMMAND_TIMEOUT_MS = 1_000;
const RECONNECT_MS = 500;

const common: RedisOptions = {
  enableReadyCheck: false,
  connectTimeout: 2_000,
  // Closing a connection waits for Redis, which may hang.
  disconnectTimeout: 200,
  keepAlive: 10_000,
};

const OPTIONS: Readonly<Record<ConnectionRole, RedisOptions>> = {
  // A command that cannot be sent now fails now.
  client: { ...common, enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT_MS },
  // Bull requires that these two wait. The listener subscribes again itself: ioredis would not handle a refusal.
  subscriber: { ...common, maxRetriesPerRequest: null, autoResubscribe: false },
  bclient: { ...common, maxRetriesPerRequest: null },
};

/**
 * The connections of one queue, given to Bull through `createClient`. Bull's own would ignore the TLS of `rediss://`, wait
 * up to twenty seconds before connecting again, and could not be closed early.
 */
export class RedisConnections {
  private readonly open = new Map<ConnectionRole, Redis>();
  private lastError: Error | undefined;
  private closed = false;

  constructor(private readonly url: string) {}

  get(role: ConnectionRole): Redis {
    const known = this.open.get(role);
    if (known !== undefined) return known;
    const retryStrategy = (): number | null => (this.closed ? null : RECONNECT_MS);
    const connection = new Redis(this.url, { ...OPTIONS[role], retryStrategy });
    connection.on('error', (error: Error) => (this.lastError = error));
    this.open.set(role, connection);
    return connection;
  }

  /** Resolves once Redis has answered on all three connections; rejects if it refuses one. */
  async pingAll(): Promise<void> {
    await Promise.all(ROLES.map((role) => this.get(role).ping()));
  }

  /** The last error of a connection since Redis last answered, or else the error of the command that failed. */
  reason(failure: unknown): string {
    const error = this.lastError ?? (this.get('client').status === 'ready' ? failure : 'no connection');
    return error instanceof Error ? error.message : String(error);
  }

  clearLastError(): void {
    this.lastError = undefined;
  }

  /** Replaces the connections that look open: their other end may be gone. */
  reconnect(): void {
    for (const connection of this.open.values()) if (connection.status === 'ready') connection.disconnect(true);
  }

  /** Also ends connections that Bull opens while it closes: it breaks a waiting connection and connects once more. */
  close(): void {
    this.closed = true;
    for (const connection of this.open.values()) connection.on('connect', () => connection.disconnect()).disconnect();
  }
}
