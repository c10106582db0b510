import { Injectable } from '@nestjs/common';
import type { QueryResult, QueryResultRow } from 'pg';
import { DataSource, type EntityTarget, type ObjectLiteral, type Repository } from 'typeorm';
import { DatabasePool } from './database-pool';
import { PreparedStatements } from './prepared-statements';
import { type Sql, join, raw, sql } from './sql';
import { Transactions } from './transactions';

/**
 * Database access, only for repositories. Statements run in the transaction of the current unit of work if there is one, else
 * on the pool. Statements of a transaction that are started together (`Promise.all`) are sent together, in this order.
 */
@Injectable()
export class Database {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pool: DatabasePool,
    private readonly transactions: Transactions,
    private readonly statements: PreparedStatements,
  ) {}

  /** The columns of an entity, named like its properties, from TypeORM's metadata. */
  columns<E extends ObjectLiteral>(entity: EntityTarget<E>, alias: string, omitted: readonly (keyof E)[] = []): Sql {
    const { columns } = this.dataSource.getMetadata(entity);
    const selected = columns.filter((column) => !omitted.includes(column.propertyName));
    return raw(selected.map((column) => `${alias}.${column.databaseName} AS "${column.propertyName}"`).join(', '));
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

  /** Runs a change and returns the number of affected rows. */
  async change(statement: Sql): Promise<number> {
    return (await this.execute(statement)).rowCount ?? 0;
  }

  /** A TypeORM repository in the current transaction, for plain inserts, updates and deletes by key. */
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
