import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DatabaseContext } from './database-context';
import { DatabasePool } from './database-pool';
import { PreparedStatements } from './prepared-statements';
import { Replicas } from './replicas';
import type { Sql } from './sql';
import { Transaction, BEGIN_STATEMENTS } from './transaction';

/** The transaction of the current unit of work. */
@Injectable()
export class Transactions {
  constructor(
    private readonly context: DatabaseContext,
    private readonly dataSource: DataSource,
    private readonly pool: DatabasePool,
    private readonly statements: PreparedStatements,
    private readonly replicas: Replicas,
  ) {}

  current(): Transaction | undefined {
    return this.context.transaction;
  }

  /** Runs work in a transaction. The last statement may depend on its result. Effects run after the commit. */
  run<T>(work: () => Promise<T>, lastStatement?: (result: T) => Sql | undefined): Promise<T> {
    const transaction = new Transaction(this.dataSource, this.pool, BEGIN_STATEMENTS.readWrite);
    if (this.replicas.areUsed) transaction.afterCommit(() => this.replicas.notePosition());
    return this.perform(transaction, work, lastStatement);
  }

  /** Runs reads on one snapshot of the database, in a read-only transaction. */
  inSnapshot<T>(reads: () => Promise<T>): Promise<T> {
    return this.perform(new Transaction(this.dataSource, this.pool, BEGIN_STATEMENTS.snapshot), reads);
  }

  /** What the caller reads next is at least as new as the primary is now. */
  notePosition(): Promise<void> {
    return this.replicas.notePosition();
  }

  /** Runs work outside of the current transaction. */
  outside<T>(work: () => Promise<T>): Promise<T> {
    return this.context.runIn(undefined, work);
  }

  private async perform<T>(
    transaction: Transaction,
    work: () => Promise<T>,
    lastStatement?: (result: T) => Sql | undefined,
  ): Promise<T> {
    const result = await this.context.runIn(transaction, async () => {
      try {
        const value = await work();
        const last = lastStatement?.(value);
        await transaction.commit(last && this.statements.of(last));
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
