import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import { OrganizationLogo } from './organization-logo.entity';

export type NewLogo = Omit<OrganizationLogo, 'created'>;

@Injectable()
export class LogosRepository {
  private readonly columns = this.database.columns(OrganizationLogo, 'l');

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, organizationId: number): Promise<OrganizationLogo | undefined> {
    return this.database.row<OrganizationLogo>(sql`
      SELECT ${this.columns} FROM organization_logos l
      WHERE l.organization_id = ${organizationId} AND ${visibleTo(scope, 'l.organization_id')}`);
  }

  /** Replaces the previous logo. The caller has locked the organization. */
  async replaceOfLocked(logo: NewLogo): Promise<void> {
    const repository = await this.database.repository(OrganizationLogo);
    await repository.upsert({ ...logo, created: () => 'now()' }, ['organizationId']);
  }

  /** Whether there was one. The caller has locked the organization. */
  async removeOfLocked(organizationId: number): Promise<boolean> {
    const removed = await this.database.change(
      sql`DELETE FROM organization_logos WHERE organization_id = ${organizationId}`,
    );
    return removed > 0;
  }
}
