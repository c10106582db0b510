import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { isUnavailable } from './database-errors';

type Effect = () => void | Promise<void>;

/** One transaction: its connection is taken by the first statement, so that work which never reaches it costs nothing. */
export class Transaction {
  private runner: QueryRunner | undefined;
  private readonly effects: Effect[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly isolation?: 'moment',
  ) {}

  async manager(): Promise<EntityManager> {
    return (await this.begun()).manager;
  }

  async client(): Promise<PoolClient> {
    const runner = await this.begun();
    return (await runner.connect()) as PoolClient;
  }

  /** Work for after the commit: it runs only if what it speaks of has really happened. */
  afterCommit(effect: Effect): void {
    this.effects.push(effect);
  }

  async commit(): Promise<void> {
    if (this.runner === undefined) return;
    try {
      await this.runner.commitTransaction();
    } catch (error) {
      this.abandon(error);
      throw error;
    }
    await this.runner.release();
  }

  async rollback(cause: unknown): Promise<void> {
    if (this.runner === undefined) return;
    if (isUnavailable(cause)) {
      this.abandon(cause);
      return;
    }
    try {
      await this.runner.rollbackTransaction();
      await this.runner.release();
    } catch (error) {
      this.abandon(error);
    }
  }

  async runEffects(): Promise<void> {
    for (const effect of this.effects) await effect();
  }

  private starting: Promise<QueryRunner> | undefined;

  private begun(): Promise<QueryRunner> {
    this.starting ??= this.begin();
    return this.starting;
  }

  private async begin(): Promise<QueryRunner> {
    const runner = this.dataSource.createQueryRunner();
    this.runner = runner;
    await runner.startTransaction();
    if (this.isolation === 'moment') await runner.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return runner;
  }

  /**
   * Gives up a connection whose state nobody knows, without asking the server once more: a hung server would hang the
   * rollback too. The client's `error` event is how TypeORM learns that a connection must not go back to the pool.
   */
  private abandon(cause: unknown): void {
    const client = (this.runner as unknown as { databaseConnection?: PoolClient }).databaseConnection;
    if (client === undefined) {
      void this.runner?.release();
      return;
    }
    client.emit('error', cause instanceof Error ? cause : new Error('transaction abandoned'));
  }
}

/** The transaction of the current piece of work, carried along its asynchronous calls. */
@Injectable()
export class Transactions {
  private readonly storage = new AsyncLocalStorage<Transaction>();

  constructor(private readonly dataSource: DataSource) {}

  current(): Transaction | undefined {
    return this.storage.getStore();
  }

  /** Runs work in a transaction of its own; `beforeCommit` belongs to it, effects come after it. */
  run<T>(work: () => Promise<T>, beforeCommit?: (result: T) => Promise<void>): Promise<T> {
    return this.perform(new Transaction(this.dataSource), work, beforeCommit);
  }

  /** Reads, however many, that all see the database as it is in one moment. Nothing can be changed in here. */
  inOneMoment<T>(reads: () => Promise<T>): Promise<T> {
    return this.perform(new Transaction(this.dataSource, 'moment'), reads);
  }

  /** Runs work outside of any transaction that may be open around it. */
  outside<T>(work: () => Promise<T>): Promise<T> {
    return this.storage.exit(work);
  }

  private async perform<T>(
    transaction: Transaction,
    work: () => Promise<T>,
    beforeCommit?: (result: T) => Promise<void>,
  ): Promise<T> {
    const result = await this.storage.run(transaction, async () => {
      try {
        const value = await work();
        await beforeCommit?.(value);
        await transaction.commit();
        return value;
      } catch (error) {
        await transaction.rollback(error);
        throw error;
      }
    });
    await transaction.runEffects();
    return result;
  }
}
