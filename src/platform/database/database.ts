import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import { DataSource, type EntityTarget, type ObjectLiteral, type Repository } from 'typeorm';
import { type Sql, raw } from './sql';
import { Transactions } from './transactions';

/**
 * The way to the rows, for repositories alone. Statements run in the transaction of the current unit of work when there
 * is one, else on the pool; each text is prepared once on each connection and has a name of its own.
 */
@Injectable()
export class Database {
  private readonly names = new Map<string, string>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /** The columns of an entity under its property names, from TypeORM's own metadata: the entity stays the only truth. */
  columns<E extends ObjectLiteral>(entity: EntityTarget<E>, alias: string, leaveOut: readonly (keyof E)[] = []): Sql {
    const { columns } = this.dataSource.getMetadata(entity);
    const shown = columns.filter((column) => !leaveOut.includes(column.propertyName));
    return raw(shown.map((column) => `${alias}.${column.databaseName} AS "${column.propertyName}"`).join(', '));
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
    const { text, values } = statement.build();
    const transaction = this.transactions.current();
    const target: Pool | PoolClient = transaction === undefined ? this.pool : await transaction.client();
    return target.query<T & QueryResultRow>({ name: this.nameOf(text), text, values });
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  private nameOf(text: string): string {
    const known = this.names.get(text);
    if (known !== undefined) return known;
    const name = `assay_${this.names.size + 1}`;
    this.names.set(text, name);
    return name;
  }
}
