import { Injectable } from '@nestjs/common';
import type { QueryArrayResult } from 'pg';
import { DataSource, type EntityTarget, type ObjectLiteral, type Repository } from 'typeorm';
import { DatabaseContext } from './database-context';
import { isRefusedByReplica, isUnavailable } from './database-errors';
import { DatabasePool } from './database-pool';
import { type PreparedStatement, PreparedStatements } from './prepared-statements';
import { ShortReads } from './short-reads';
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
    private readonly shortReads: ShortReads,
    private readonly context: DatabaseContext,
  ) {}

  /** The columns of an entity, named like its properties, from TypeORM's metadata. */
  columns<E extends ObjectLiteral>(entity: EntityTarget<E>, alias: string, omitted: readonly (keyof E)[] = []): Sql {
    const { columns } = this.dataSource.getMetadata(entity);
    const selected = columns.filter((column) => !omitted.includes(column.propertyName));
    return raw(selected.map((column) => `${alias}.${column.databaseName} AS "${column.propertyName}"`).join(', '));
  }

  /**
   * `(columns) SELECT values` of an INSERT of rows, from one parameter: the columns without a default and those that the first
   * row names, NULL for properties that a row lacks. `values` replaces a value by an expression of the row `r`.
   */
  insertedRows<E extends ObjectLiteral>(
    entity: EntityTarget<E>,
    rows: readonly Partial<Record<keyof E, unknown>>[],
    values: Partial<Record<keyof E, Sql>> = {},
  ): Sql {
    const columns = this.dataSource
      .getMetadata(entity)
      .columns.filter(
        ({ isGenerated, isInsert, default: byDefault, propertyName }) =>
          isInsert && !isGenerated && (byDefault == null || propertyName in (rows[0] ?? {})),
      );
    const json = rows.map((row) =>
      Object.fromEntries(columns.map(({ propertyName }) => [propertyName, storable(row[propertyName])])),
    );
    const names = raw(columns.map(({ databaseName }) => databaseName).join(', '));
    const types = raw(
      columns
        .map(({ propertyName, type, isArray }) => `"${propertyName}" ${String(type)}${isArray ? '[]' : ''}`)
        .join(', '),
    );
    const selected = join(
      columns.map(({ propertyName }) => values[propertyName] ?? raw(`r."${propertyName}"`)),
      ', ',
    );
    return sql`(${names}) SELECT ${selected} FROM jsonb_to_recordset(${JSON.stringify(json)}::jsonb) AS r (${types})`;
  }

  async rows<T extends object>(statement: Sql): Promise<T[]> {
    const prepared = this.statements.of(statement);
    return this.statements.rowsOf<T>(prepared, await this.read(prepared));
  }

  async row<T extends object>(statement: Sql): Promise<T | undefined> {
    return (await this.rows<T>(statement))[0];
  }

  /** For the rest of the current request: what ends a right must count at once, however late a replica is. */
  readFromPrimary(): void {
    this.context.readFrom(undefined);
  }

  /** The next requests of the caller read nothing older than the primary has now, also of what others wrote. */
  notePosition(): Promise<void> {
    return this.transactions.notePosition();
  }

  /** The `count` that a statement selects. */
  async count(statement: Sql): Promise<number> {
    return (await this.row<{ count: number }>(statement))?.count ?? 0;
  }

  /** Reads few rows by an index; see `ShortReads`. */
  async shortRows<T extends object>(statement: Sql): Promise<T[]> {
    if (this.transactions.current() !== undefined) return this.rows<T>(statement);
    if (this.context.replica !== undefined) return this.rows<T>(statement);
    const prepared = this.statements.of(statement);
    return this.statements.rowsOf<T>(prepared, await this.shortReads.read(prepared));
  }

  async shortRow<T extends object>(statement: Sql): Promise<T | undefined> {
    return (await this.shortRows<T>(statement))[0];
  }

  /** Runs a change and returns the number of affected rows. */
  async change(statement: Sql): Promise<number> {
    return (await this.execute(this.statements.of(statement))).rowCount ?? 0;
  }

  /** A TypeORM repository in the current transaction, for plain inserts, updates and deletes by key. */
  async repository<E extends ObjectLiteral>(entity: EntityTarget<E>): Promise<Repository<E>> {
    const transaction = this.transactions.current();
    const manager = transaction === undefined ? this.dataSource.manager : await transaction.manager();
    return manager.getRepository(entity);
  }

  /** A replica that fails, or refuses what changes something, is left for the rest of the request. */
  private async read(statement: PreparedStatement): Promise<QueryArrayResult> {
    const { replica } = this.context;
    if (replica === undefined || this.transactions.current() !== undefined) return this.execute(statement);
    try {
      return await replica.query(statement);
    } catch (error) {
      if (!isUnavailable(error) && !isRefusedByReplica(error)) throw error;
      this.readFromPrimary();
      return this.execute(statement);
    }
  }

  private async execute(statement: PreparedStatement): Promise<QueryArrayResult> {
    const transaction = this.transactions.current();
    const target = transaction === undefined ? this.pool : await transaction.client();
    return target.query(statement);
  }
}

/** As JSON has it: bytes in hex, and no half of a character, which JSON of PostgreSQL refuses. */
const storable = (value: unknown): unknown =>
  Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : typeof value === 'string' ? value.toWellFormed() : value;
