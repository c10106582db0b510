import type { Pool, QueryResult } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { isUnavailable } from './database-errors';
import type { DatabaseClient } from './database-client';
import type { PreparedStatement } from './prepared-statements';

type Effect = () => void | Promise<void>;

/** For changes, or for several reads of the same snapshot. */
export const BEGIN_STATEMENTS = {
  readWrite: 'BEGIN',
  snapshot: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
} as const;

/**
 * One transaction. Its first statement acquires the connection. BEGIN is sent together with the first statement and COMMIT
 * together with the last one, without waiting for answers in between: after a failed statement, all others fail as well.
 */
export class Transaction {
  private runner: QueryRunner | undefined;
  private starting: Promise<DatabaseClient> | undefined;
  private beginResult: Promise<unknown> | undefined;
  private isEnding = false;
  private hasEnded = false;
  private readonly effects: Effect[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly pool: Pool,
    private readonly beginStatement: (typeof BEGIN_STATEMENTS)[keyof typeof BEGIN_STATEMENTS],
  ) {}

  async manager(): Promise<EntityManager> {
    await this.client();
    if (this.runner === undefined) throw new Error('the transaction has no query runner');
    return this.runner.manager;
  }

  /** Rejects after the end: the connection may already belong to another transaction. */
  client(): Promise<DatabaseClient> {
    if (this.isEnding) return Promise.reject(new Error('the transaction has ended'));
    this.starting ??= this.begin();
    return this.starting;
  }

  /** Adds an effect that runs after the commit. */
  afterCommit(effect: Effect): void {
    this.effects.push(effect);
  }

  /** `last` is part of the transaction. If it is the only statement, it runs without one. */
  async commit(last?: PreparedStatement): Promise<void> {
    this.isEnding = true;
    if (this.starting === undefined) {
      if (last !== undefined) await this.pool.query(last);
      return;
    }
    const client = await this.starting;
    let refusal: unknown;
    try {
      refusal = await this.sendCommit(client, last);
    } catch (error) {
      this.abandon(error);
      throw error;
    }
    await this.release();
    if (refusal !== undefined) throw refusal;
  }

  async rollback(cause: unknown): Promise<void> {
    this.isEnding = true;
    if (this.starting === undefined || this.hasEnded) return;
    if (isUnavailable(cause)) {
      this.abandon(cause);
      return;
    }
    try {
      const client = await this.starting;
      await client.query('ROLLBACK');
      await this.release();
    } catch (error) {
      this.abandon(error);
    }
  }

  async runEffects(): Promise<void> {
    for (const effect of this.effects) await effect();
  }

  private async begin(): Promise<DatabaseClient> {
    this.runner = this.dataSource.createQueryRunner();
    const client = (await this.runner.connect()) as DatabaseClient;
    this.beginResult = suppressUnhandledRejection(client.query(this.beginStatement));
    return client;
  }

  /** Returns why the last statement was refused, if the server has then answered the COMMIT: the connection is usable. */
  private async sendCommit(client: DatabaseClient, last: PreparedStatement | undefined): Promise<unknown> {
    const written = last && suppressUnhandledRejection(client.query(last));
    const commit = suppressUnhandledRejection(client.query('COMMIT'));
    await this.beginResult;
    const refusal: unknown = await written?.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (isUnavailable(refusal)) throw refusal;
    const { command }: QueryResult = await commit;
    if (refusal !== undefined) return refusal;
    // PostgreSQL answers ROLLBACK to the COMMIT of a transaction with a failed statement.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back: one of its statements had failed');
    return undefined;
  }

  private async release(): Promise<void> {
    this.hasEnded = true;
    await this.runner?.release();
  }

  /**
   * Closes a connection in an unknown state without a ROLLBACK, which would wait for a server that hangs. The client then
   * emits `error`, and TypeORM returns it to the pool as broken.
   */
  private abandon(cause: unknown): void {
    this.hasEnded = true;
    const error = cause instanceof Error ? cause : new Error('transaction abandoned', { cause });
    void this.starting?.then(
      (client) => client.disconnect(error),
      () => this.runner?.release(),
    );
  }
}

/** The caller awaits this promise later: until then its failure must not count as unhandled. */
function suppressUnhandledRejection<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  return answer;
}
