import type { DeepPartial, FindOptionsWhere } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity';
import type { Page, Slice } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { byId, readSlice } from '../../../platform/database/list-order';
import { type Sql, emptySql, raw, sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import type { DestinationKind } from '../domain/destinations';
import type { Destination, DestinationReference } from './destination';

/** How each table of destinations is read and written. */
export abstract class DestinationsRepository<D extends Destination> {
  private readonly newestFirst = byId<D>('d.id');
  private readonly columns: Sql;
  private readonly table: Sql;

  protected constructor(
    protected readonly database: Database,
    private readonly entity: new () => D,
    readonly kind: DestinationKind,
  ) {
    this.columns = database.columns(entity, 'd');
    this.table = raw(`${kind.noun}s d`);
  }

  findOne(scope: Scope, organizationId: number, id: number): Promise<D | undefined> {
    return this.one(scope, organizationId, id, emptySql);
  }

  lockOne(scope: Scope, organizationId: number, id: number): Promise<D | undefined> {
    return this.one(scope, organizationId, id, raw('FOR NO KEY UPDATE OF d'));
  }

  async findOrganization(scope: Scope, id: number): Promise<number | undefined> {
    const row = await this.database.row<DestinationReference>(sql`
      SELECT d.organization_id AS "organizationId" FROM ${this.table}
      WHERE d.id = ${id} AND ${visibleTo(scope, 'd.organization_id')}`);
    return row?.organizationId;
  }

  listFor(scope: Scope, organizationId: number, page: Page): Promise<Slice<D>> {
    const list = this.listed(scope, organizationId);
    const rows = sql`SELECT ${this.columns} ${list}${this.newestFirst.page(page)}`;
    return readSlice(this.database, page, this.newestFirst, { rows, list });
  }

  /** Those that the service has paused. */
  listStoppedFor(scope: Scope, organizationId: number): Promise<D[]> {
    const list = this.listed(scope, organizationId);
    return this.database.rows<D>(
      sql`SELECT ${this.columns} ${list} AND d.state = 'paused' AND d.pause_reason <> 'admin' ORDER BY d.id`,
    );
  }

  listActive(scope: Scope): Promise<(DestinationReference & { readonly position: number })[]> {
    return this.database.rows(sql`
      SELECT d.id, d.organization_id AS "organizationId", d.cursor::float8 AS position FROM ${this.table}
      WHERE d.state = 'active' AND ${visibleTo(scope, 'd.organization_id')} ORDER BY d.organization_id, d.id`);
  }

  /** The caller has locked the organization for counting. */
  countOfLocked(organizationId: number): Promise<number> {
    return this.database.count(
      sql`SELECT count(*)::int AS count FROM ${this.table} WHERE d.organization_id = ${organizationId}`,
    );
  }

  listAfter(id: number, limit: number): Promise<{ id: number; sealed: Buffer }[]> {
    return this.database.rows(
      sql`SELECT d.id, d.sealed FROM ${this.table} WHERE d.id > ${id} AND d.sealed IS NOT NULL ORDER BY d.id LIMIT ${limit}`,
    );
  }

  /** Returns false if the secret was replaced meanwhile. */
  async reencrypt({ id, sealed }: { id: number; sealed: Buffer }, resealed: Buffer): Promise<boolean> {
    const repository = await this.database.repository(this.entity);
    const which = { id, sealed } as FindOptionsWhere<D>;
    const { affected } = await repository.update(which, {
      sealed: resealed,
    } as Partial<D> as QueryDeepPartialEntity<D>);
    return affected === 1;
  }

  async save(destination: Partial<D>): Promise<number> {
    const repository = await this.database.repository(this.entity);
    const row = repository.create(destination as DeepPartial<D>);
    await repository.insert(row as QueryDeepPartialEntity<D>);
    return row.id;
  }

  /** The caller has locked it. */
  async change({ id, organizationId }: DestinationReference, change: Partial<Omit<D, 'id'>>): Promise<void> {
    const repository = await this.database.repository(this.entity);
    await repository.update({ id, organizationId } as FindOptionsWhere<D>, change as QueryDeepPartialEntity<D>);
  }

  /** With what waits for it, by ON DELETE CASCADE. */
  async remove({ id, organizationId }: DestinationReference): Promise<void> {
    const repository = await this.database.repository(this.entity);
    await repository.delete({ id, organizationId } as FindOptionsWhere<D>);
  }

  private listed(scope: Scope, organizationId: number): Sql {
    return sql`FROM ${this.table} WHERE d.organization_id = ${organizationId} AND ${visibleTo(scope, 'd.organization_id')}`;
  }

  private one(scope: Scope, organizationId: number, id: number, rest: Sql): Promise<D | undefined> {
    const list = this.listed(scope, organizationId);
    return this.database.row<D>(sql`SELECT ${this.columns} ${list} AND d.id = ${id} ${rest}`);
  }
}
