import { Injectable } from '@nestjs/common';
import type { QueryResult, QueryResultRow } from 'pg';
import { DataSource, type EntityTarget, type ObjectLiteral, type Repository } from 'typeorm';
import { DatabasePool } from './database-pool';
import { PreparedStatements } from './prepared-statements';
import { type Sql, join, raw, sql } from './sql';
import { Transactions } from './transactions';

/**
 * The way to the rows, for repositories alone. Statements run in the transaction of the current unit of work when there
 * is one, else on the pool. Statements of one transaction that do not wait for each other (`Promise.all`) travel together,
 * in the order in which they were called.
 */
@Injectable()
export class Database {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pool: DatabasePool,
    private readonly transactions: Transactions,
    private readonly statements: PreparedStatements,
  ) {}

  /** The columns of an entity under its property names, from TypeORM's own metadata: the entity stays the only truth. */
  columns<E extends ObjectLiteral>(entity: EntityTarget<E>, alias: string, leaveOut: readonly (keyof E)[] = []): Sql {
    const { columns } = this.dataSource.getMetadata(entity);
    const shown = columns.filter((column) => !leaveOut.includes(column.propertyName));
    return raw(shown.map((column) => `${alias}.${column.databaseName} AS "${column.propertyName}"`).join(', '));
  }

  /** `(columns) VALUES (values)` of an INSERT: all columns without a default, NULL for properties that the row lacks. */
  insertedValues<E extends ObjectLiteral>(entity: EntityTarget<E>, row: Partial<Record<keyof E, unknown>>): Sql {
    const columns = this.dataSource
      .getMetadata(entity)
      .columns.filter(({ isGenerated, isInsert, default: byDefault }) => isInsert && !isGenerated && byDefault == null);
    const values = columns.map((column) => {
      const value: unknown = this.dataSource.driver.preparePersistentValue(row[column.propertyName], column);
      return sql`${value ?? null}`;
    });
    return sql`(${raw(columns.map(({ databaseName }) => databaseName).join(', '))}) VALUES (${join(values, ', ')})`;
  }

  async rows<T extends object>(statement: Sql): Promise<T[]> {
    return (await this.execute<T>(statement)).rows;
  }

  async row<T extends object>(statement: Sql): Promise<T | undefined> {
    return (await this.execute<T>(statement)).rows[0];
  }

  /** Runs a change and says how many rows it touched. */
  async change(statement: Sql): Promise<number> {
    return (await this.execute(statement)).rowCount ?? 0;
  }

  /** TypeORM's repository on the current transaction: for `insert`, `update` and `delete`, which say what they touched. */
  async repository<E extends ObjectLiteral>(entity: EntityTarget<E>): Promise<Repository<E>> {
    const transaction = this.transactions.current();
    const manager = transaction === undefined ? this.dataSource.manager : await transaction.manager();
    return manager.getRepository(entity);
  }

  private async execute<T extends object>(statement: Sql): Promise<QueryResult<T & QueryResultRow>> {
    const transaction = this.transactions.current();
    const target = transaction === undefined ? this.pool : await transaction.client();
    return target.query<T & QueryResultRow>(this.statements.of(statement));
  }
}
