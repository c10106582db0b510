import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import type { AcceptanceKind } from '../domain/acceptance-kinds';
import { AcceptedCheckOnMany } from './accepted-check-on-many.entity';

@Injectable()
export class AcceptedChecksOnManyRepository {
  private readonly columns = this.database.columns(AcceptedCheckOnMany, 'c');

  constructor(private readonly database: Database) {}

  list(scope: Scope, organizationId: number): Promise<AcceptedCheckOnMany[]> {
    return this.database.rows<AcceptedCheckOnMany>(sql`
      SELECT ${this.columns} FROM accepted_checks_on_many c
      WHERE c.organization_id = ${organizationId} AND ${visibleTo(scope, 'c.organization_id')} ORDER BY c.check_id, c.label`);
  }

  /** In effect after a moment: those for all assets first. */
  listActive(scope: Scope, covers: AcceptanceKind, at: Date): Promise<AcceptedCheckOnMany[]> {
    return this.database.rows<AcceptedCheckOnMany>(sql`
      SELECT ${this.columns} FROM accepted_checks_on_many c
      WHERE ${visibleTo(scope, 'c.organization_id')} AND c.covers = ${covers} AND c.until > ${at} ORDER BY c.check_id, c.label`);
  }

  async save(check: AcceptedCheckOnMany): Promise<void> {
    const repository = await this.database.repository(AcceptedCheckOnMany);
    await repository.upsert(check, ['checkId', 'label', 'organizationId']);
  }

  /** In all organizations. */
  removeName(userId: number, replacement: string): Promise<number> {
    return this.database.change(sql`
      UPDATE accepted_checks_on_many SET accepted_by = ${replacement}, accepted_by_id = NULL WHERE accepted_by_id = ${userId}`);
  }

  /** Returns the removed row; undefined if there is none. */
  remove(
    scope: Scope,
    organizationId: number,
    checkId: string,
    label: string,
  ): Promise<AcceptedCheckOnMany | undefined> {
    return this.database.row<AcceptedCheckOnMany>(sql`
      DELETE FROM accepted_checks_on_many c WHERE c.organization_id = ${organizationId} AND ${visibleTo(scope, 'c.organization_id')}
        AND c.check_id = ${checkId} AND c.label = ${label} RETURNING ${this.columns}`);
  }
}
