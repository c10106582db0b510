import { Redis, type RedisOptions } from 'ioredis';

/** What Bull calls them: `client` sends commands, `subscriber` hears events, `bclient` waits for the next job. */
const roles = ['client', 'subscriber', 'bclient'] as const;
export type ConnectionRole = (typeof roles)[number];

/** How long Redis may take to answer. */
const answerMs = 1_000;
const reconnectMs = 500;

const common: RedisOptions = {
  enableReadyCheck: false,
  connectTimeout: 2_000,
  // A Redis that hangs would leave the end of a connection open for as long as it hangs.
  disconnectTimeout: 200,
  keepAlive: 10_000,
};

const options: Readonly<Record<ConnectionRole, RedisOptions>> = {
  // Nobody waits for a Redis that is away: a command that cannot be sent now fails now.
  client: { ...common, enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: answerMs },
  // Bull wants these two to wait. To subscribe again is for the listener, who handles a refusal; ioredis would not.
  subscriber: { ...common, maxRetriesPerRequest: null, autoResubscribe: false },
  bclient: { ...common, maxRetriesPerRequest: null },
};

/**
 * The connections of one queue, made here and not by Bull, which takes `rediss://` for `redis://`, waits up to twenty
 * seconds before it connects again, and cannot be hurried when it closes them.
 */
export class DoorbellConnections {
  private readonly open = new Map<ConnectionRole, Redis>();
  private lastError: Error | undefined;
  private closed = false;

  constructor(private readonly url: string) {}

  get(role: ConnectionRole): Redis {
    const known = this.open.get(role);
    if (known !== undefined) return known;
    const retryStrategy = (): number | null => (this.closed ? null : reconnectMs);
    const connection = new Redis(this.url, { ...options[role], retryStrategy });
    connection.on('error', (error: Error) => (this.lastError = error));
    this.open.set(role, connection);
    return connection;
  }

  /** Settles once Redis has answered on every connection that a listener needs; rejects if it refuses. */
  async allAnswer(): Promise<void> {
    await Promise.all(roles.map((role) => this.get(role).ping()));
  }

  /** What is wrong, in a few words: what befell the connections since Redis last answered, or else the command that failed. */
  reason(failure: unknown): string {
    const error = this.lastError ?? (this.get('client').status === 'ready' ? failure : 'no connection');
    return error instanceof Error ? error.message : String(error);
  }

  /** What went wrong before counts no more. */
  answered(): void {
    this.lastError = undefined;
  }

  /** Connects again where a connection is only thought to be there: its other end may have gone without a word. */
  renew(): void {
    for (const connection of this.open.values()) if (connection.status === 'ready') connection.disconnect(true);
  }

  /** For good: Bull, as it closes, breaks a connection that waits and makes it once more. */
  close(): void {
    this.closed = true;
    for (const connection of this.open.values()) connection.on('connect', () => connection.disconnect()).disconnect();
  }
}
