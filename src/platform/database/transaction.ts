import type { Pool, PoolClient, QueryResult } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { isUnavailable } from './database-errors';
import type { PreparedStatement } from './prepared-statements';

type Effect = () => void | Promise<void>;

/** How a transaction begins: to change something, or to read much as it was in one moment. */
export const beginnings = {
  changes: 'BEGIN',
  moment: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
} as const;

export const poolOf = (dataSource: DataSource): Pool => (dataSource.driver as unknown as { master: Pool }).master;

/**
 * One transaction. Its connection is taken by the first statement, so that work which never reaches it costs nothing.
 * BEGIN travels with that first statement and COMMIT with the last one: neither waits for an answer of its own, since
 * what follows a statement that failed fails too.
 */
export class Transaction {
  private runner: QueryRunner | undefined;
  private starting: Promise<PoolClient> | undefined;
  private begun: Promise<unknown> | undefined;
  private hasEnded = false;
  private readonly effects: Effect[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly beginning: (typeof beginnings)[keyof typeof beginnings],
  ) {}

  async manager(): Promise<EntityManager> {
    await this.client();
    if (this.runner === undefined) throw new Error('a transaction has a runner once it has a client');
    return this.runner.manager;
  }

  client(): Promise<PoolClient> {
    this.starting ??= this.begin();
    return this.starting;
  }

  /** Work for after the commit: it runs only if what it speaks of has really happened. */
  afterCommit(effect: Effect): void {
    this.effects.push(effect);
  }

  /** `last` belongs to the transaction. Where it is the only statement, it needs no transaction around it. */
  async commit(last?: PreparedStatement): Promise<void> {
    if (this.starting === undefined) {
      if (last !== undefined) await poolOf(this.dataSource).query(last);
      return;
    }
    const client = await this.starting;
    try {
      await this.committed(client, last);
    } catch (error) {
      this.abandon(error);
      throw error;
    }
    await this.release();
  }

  async rollback(cause: unknown): Promise<void> {
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

  private async begin(): Promise<PoolClient> {
    this.runner = this.dataSource.createQueryRunner();
    const client = (await this.runner.connect()) as PoolClient;
    this.begun = heard(client.query(this.beginning));
    return client;
  }

  private async committed(client: PoolClient, last: PreparedStatement | undefined): Promise<void> {
    const written = last && heard(client.query(last));
    const commit = heard(client.query('COMMIT'));
    await this.begun;
    await written;
    const { command }: QueryResult = await commit;
    // What PostgreSQL answers to the COMMIT of a transaction in which a statement has failed.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back: one of its statements had failed');
  }

  private async release(): Promise<void> {
    this.hasEnded = true;
    await this.runner?.release();
  }

  /**
   * Gives up a connection whose state nobody knows, without asking the server once more: a hung server would hang the
   * rollback too. The client's `error` event is how TypeORM learns that a connection must not go back to the pool.
   */
  private abandon(cause: unknown): void {
    this.hasEnded = true;
    const client = (this.runner as unknown as { databaseConnection?: PoolClient }).databaseConnection;
    if (client === undefined) {
      void this.runner?.release();
      return;
    }
    client.emit('error', cause instanceof Error ? cause : new Error('transaction abandoned'));
  }
}

/** A failure that is looked at later is no failure that nobody looks at. */
function heard<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  return answer;
}
