import { Socket } from 'node:net';
import { Client, type ClientConfig, type QueryConfig, type QueryResult } from 'pg';

type DatabaseError = Error & { readonly code?: string };

export interface DatabaseClientConfig extends ClientConfig {
  /** The maximum time between two answers while statements are waiting. */
  readonly answerTimeoutMillis?: number;
}

type Callback = (error: Error, result: QueryResult) => void;

/** The database did not answer within `answerTimeoutMillis`. */
export class AnswerTimeoutError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(timeoutMs: number) {
    super(`the database did not answer within ${timeoutMs} ms`);
  }
}

/** The server does not accept changes, or no longer does. */
export class NotPrimaryError extends Error {
  /** The SQLSTATE of a failed connection: it is temporary. */
  readonly code = '08006';
}

/** What was committed may be lost with this server: it has stopped waiting for its synchronous standby. */
class UnreplicatedCommitError extends Error {
  /** The SQLSTATE of a transaction with an unknown result. */
  readonly code = '08007';
}

/** The function of PostgreSQL that warns instead of failing. The text of the warning depends on the language of the server. */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN';

/** The filters of findings alone have 100,000 combinations. */
const MAX_PREPARED = 500;

/** The SQLSTATEs of errors with which the server ends the connection: they arrive before its end. */
const ENDS_CONNECTION = /^(57P|25P0[34])/;

/** The SQLSTATE of the statements of a transaction after one that failed. */
const AFTER_FAILURE = '25P02';

/**
 * A client of `pg` that closes its connection when the database stops answering, and that can be closed without asking the
 * server. It provides its own socket (the `stream` option) and uses one timer for its lifetime. `query_timeout` of `pg` creates
 * a timer for each statement, which keeps rows in memory longer and reduced the throughput of list pages by a quarter.
 */
export class DatabaseClient extends Client {
  private readonly socket: Socket;
  private readonly timer: NodeJS.Timeout | undefined;
  private unanswered = 0;
  private isHoldingWrites = false;
  private problem: UnreplicatedCommitError | undefined;
  private failure: DatabaseError | undefined;
  private readonly prepared = new Set<string>();

  /** All statements are sent here, including those of TypeORM and the pool. */
  override readonly query = ((
    statement: string | QueryConfig,
    values?: unknown[] | Callback,
    callback?: Callback,
  ): Promise<QueryResult> | void => {
    const sent = typeof values === 'function' ? undefined : values;
    const done = typeof values === 'function' ? values : callback;
    this.holdWrites();
    if (typeof statement === 'object' && statement.name !== undefined) this.prepared.add(statement.name);
    if (done !== undefined) {
      // The types of `pg` allow only text here, but its pool passes a config.
      super.query(statement as string, sent as unknown[], (error, result) => {
        this.statementAnswered();
        done(this.problem ?? (error && this.causeOf(error)), result);
      });
      this.statementSent();
      return;
    }
    const answer = super.query(statement, sent).then(
      (result) => {
        this.statementAnswered();
        if (this.problem !== undefined) throw this.problem;
        return result;
      },
      (error: Error) => {
        this.statementAnswered();
        throw this.causeOf(error);
      },
    );
    this.statementSent();
    return answer;
  }) as Client['query'];

  constructor({ answerTimeoutMillis, ...config }: DatabaseClientConfig = {}) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.socket = socket;
    // Between the pool and a waiting transaction no listener exists for a moment. A connection that the server ends then (in a
    // shutdown, for example) would end the process. The statements of the connection fail anyway, and the pool replaces it.
    this.on('error', () => undefined);
    this.on('notice', ({ routine, message }) => {
      if (routine !== WAIT_FOR_STANDBY) return;
      this.problem = new UnreplicatedCommitError(message);
      this.disconnect(this.problem);
    });
    if (answerTimeoutMillis === undefined) return;
    const timer = setTimeout(() => {
      if (this.unanswered > 0) this.disconnect(new AnswerTimeoutError(answerTimeoutMillis));
    }, answerTimeoutMillis);
    timer.unref();
    this.once('end', () => clearTimeout(timer));
    this.timer = timer;
  }

  /** Whether another connection should replace it: the server keeps what was prepared until it ends, about 100 KB a statement. */
  get isUsedUp(): boolean {
    return this.prepared.size >= MAX_PREPARED || ENDS_CONNECTION.test(this.failure?.code ?? '');
  }

  /** Closes the connection at once, even if the server hangs. Waiting statements fail with `cause`; the pool removes it. */
  disconnect(cause: Error): void {
    this.socket.destroy(cause);
  }

  /** Of statements that are sent together, the code may see the error of a later one first, which does not say what failed. */
  private causeOf(error: DatabaseError): Error {
    if (error.code === AFTER_FAILURE && this.failure !== undefined) return this.failure;
    this.failure = error;
    return error;
  }

  private statementSent(): void {
    this.unanswered++;
    this.timer?.refresh();
  }

  /** Statements that are sent in one turn are written at once. */
  private holdWrites(): void {
    if (this.isHoldingWrites) return;
    this.isHoldingWrites = true;
    this.socket.cork();
    process.nextTick(() => {
      this.isHoldingWrites = false;
      this.socket.uncork();
    });
  }

  private statementAnswered(): void {
    this.unanswered--;
    this.timer?.refresh();
  }
}
