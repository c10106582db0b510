import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { onViolation } from '../../../platform/database/database-errors';
import { sql } from '../../../platform/database/sql';
import { byId, readSlice } from '../../../platform/database/list-order';
import { visibleOrganization } from '../../../platform/database/visible';
import { organizationNameTaken } from '../domain/organization.errors';
import { Organization } from './organization.entity';

export type NewOrganization = Pick<Organization, 'name' | 'foldedName' | 'integratorId' | 'assetsLimit'>;

export type AcceptanceSetting = Pick<Organization, 'acceptanceNeedsComment' | 'acceptanceNeedsEnd'>;

export interface ObservationSetting {
  readonly isEnabled: boolean;
  readonly everyHours: number | null;
  readonly since: Date | null;
}

const newestFirst = byId<Organization>('o.id');

@Injectable()
export class OrganizationsRepository {
  private readonly columns = this.database.columns(Organization, 'o');

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, id: number): Promise<Organization | undefined> {
    return this.database.shortRow<Organization>(
      sql`SELECT ${this.columns} FROM organizations o WHERE o.id = ${id} AND ${visibleOrganization(scope, 'o')}`,
    );
  }

  /** Its row stays, so that its id is not given again. */
  async isDeleted(id: number): Promise<boolean> {
    const row = await this.database.row(sql`SELECT 1 FROM organizations WHERE id = ${id} AND deleted_at IS NOT NULL`);
    return row !== undefined;
  }

  lockOne(scope: Scope, id: number): Promise<Organization | undefined> {
    return this.database.row<Organization>(
      sql`SELECT ${this.columns} FROM organizations o WHERE o.id = ${id} AND ${visibleOrganization(scope, 'o')} FOR UPDATE`,
    );
  }

  /** `FOR SHARE`: several transactions may add records to it at the same time, but none can delete it. */
  lockForShare(scope: Scope, id: number): Promise<Organization | undefined> {
    return this.database.row<Organization>(
      sql`SELECT ${this.columns} FROM organizations o WHERE o.id = ${id} AND ${visibleOrganization(scope, 'o')} FOR SHARE`,
    );
  }

  /** `FOR NO KEY UPDATE`: excludes other locks of this kind and `FOR SHARE`; rows that reference it can still be written. */
  lockForNoKeyUpdate(scope: Scope, id: number): Promise<Organization | undefined> {
    return this.database.row<Organization>(
      sql`SELECT ${this.columns} FROM organizations o WHERE o.id = ${id} AND ${visibleOrganization(scope, 'o')} FOR NO KEY UPDATE`,
    );
  }

  listFor(scope: Scope, page: Page): Promise<Slice<Organization>> {
    const list = sql`FROM organizations o WHERE ${visibleOrganization(scope, 'o')}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  /** At most two, which shows whether there is exactly one. */
  firstTwo(scope: Scope): Promise<Organization[]> {
    return this.database.rows<Organization>(
      sql`SELECT ${this.columns} FROM organizations o WHERE ${visibleOrganization(scope, 'o')} ORDER BY o.id LIMIT 2`,
    );
  }

  /** Locks the integrator, so that concurrent creations cannot exceed its limit. Null means no limit. */
  async lockLimitOf(integratorId: number): Promise<number | null> {
    const integrator = await this.database.row<{ limit: number | null }>(
      sql`SELECT organizations_limit AS "limit" FROM integrators WHERE id = ${integratorId} FOR UPDATE`,
    );
    return integrator?.limit ?? null;
  }

  countOf(integratorId: number): Promise<number> {
    return this.database.count(
      sql`SELECT count(*)::int AS count FROM organizations WHERE integrator_id = ${integratorId} AND deleted_at IS NULL`,
    );
  }

  async save(organization: NewOrganization): Promise<number> {
    const repository = await this.database.repository(Organization);
    const { identifiers } = await onViolation(repository.insert({ ...organization, hasChecklist: true }), {
      uq_organizations_name: organizationNameTaken,
    });
    return (identifiers[0] as { id: number }).id;
  }

  async saveSecondLookHours(id: number, hours: number | null): Promise<void> {
    await this.database.change(sql`UPDATE organizations SET second_look_hours = ${hours} WHERE id = ${id}`);
  }

  async saveRefusals(id: number, countAsFixed: boolean): Promise<void> {
    await this.database.change(
      sql`UPDATE organizations SET refusals_count_as_fixed = ${countAsFixed} WHERE id = ${id}`,
    );
  }

  async saveMcpWrite(id: number, mayWrite: boolean): Promise<void> {
    await this.database.change(sql`UPDATE organizations SET mcp_write = ${mayWrite} WHERE id = ${id}`);
  }

  async saveSecondApproval(id: number, isNeeded: boolean): Promise<void> {
    await this.database.change(sql`UPDATE organizations SET second_approval = ${isNeeded} WHERE id = ${id}`);
  }

  async saveAcceptance(id: number, setting: AcceptanceSetting): Promise<void> {
    const repository = await this.database.repository(Organization);
    await repository.update({ id }, setting);
  }

  async saveObservation(id: number, { isEnabled, everyHours, since }: ObservationSetting): Promise<void> {
    await this.database.change(sql`
      UPDATE organizations SET observation_enabled = ${isEnabled}, observe_every_hours = ${everyHours},
        observation_since = ${since} WHERE id = ${id}`);
  }

  async endChecklist(id: number): Promise<void> {
    await this.database.change(sql`UPDATE organizations SET has_checklist = false WHERE id = ${id}`);
  }

  async markDeleted(id: number): Promise<void> {
    await this.database.change(
      sql`UPDATE organizations SET deleted_at = now() WHERE id = ${id} AND deleted_at IS NULL`,
    );
  }

  /** An organization whose audit log this scope may read. Includes a deleted one, for its integrator. */
  async findAuditable(scope: Scope, id: number): Promise<Organization | undefined> {
    if (scope.integratorId === undefined) return this.findOne(scope, id);
    return this.database.row<Organization>(sql`
      SELECT ${this.columns} FROM organizations o
      WHERE o.id = ${id} AND o.integrator_id = ${scope.integratorId}
        AND (${scope.organizationIds ?? null}::int[] IS NULL OR o.id = ANY(${scope.organizationIds ?? null}::int[]))`);
  }
}
