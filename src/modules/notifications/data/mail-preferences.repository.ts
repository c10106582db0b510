import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { visibleOrganization } from '../../../platform/database/visible';
import type { MailKind } from '../domain/mail-kinds';
import { MailPreferences } from './mail-preferences.entity';

/** For members of organizations that the caller has checked. */
@Injectable()
export class MailPreferencesRepository {
  constructor(private readonly database: Database) {}

  async findOfVisible(organizationId: number, userId: number): Promise<MailKind[]> {
    const row = await this.database.row<Pick<MailPreferences, 'kinds'>>(
      sql`SELECT kinds FROM mail_preferences WHERE organization_id = ${organizationId} AND user_id = ${userId}`,
    );
    return row?.kinds ?? [];
  }

  /** What these members get, by user. */
  async listOfVisible(organizationId: number, userIds: readonly number[]): Promise<ReadonlyMap<number, MailKind[]>> {
    const rows = await this.database.rows<Pick<MailPreferences, 'userId' | 'kinds'>>(sql`
      SELECT user_id AS "userId", kinds FROM mail_preferences
      WHERE organization_id = ${organizationId} AND user_id = ANY(${userIds}::int[])`);
    return new Map(rows.map(({ userId, kinds }) => [userId, kinds]));
  }

  async save(organizationId: number, userId: number, kinds: readonly MailKind[]): Promise<void> {
    const repository = await this.database.repository(MailPreferences);
    await repository.upsert({ organizationId, userId, kinds: [...kinds] }, ['userId', 'organizationId']);
  }

  /** Returns false if it was off. */
  async turnOff(organizationId: number, userId: number, kind: MailKind): Promise<boolean> {
    const changed = await this.database.change(sql`
      UPDATE mail_preferences SET kinds = array_remove(kinds, ${kind})
      WHERE organization_id = ${organizationId} AND user_id = ${userId} AND ${kind} = ANY(kinds)`);
    return changed > 0;
  }

  /** By organization. */
  listUsersWith(scope: Scope, kind: MailKind) {
    return this.database.rows<{ organizationId: number; userIds: number[] }>(sql`
      SELECT p.organization_id AS "organizationId", array_agg(p.user_id) AS "userIds" FROM mail_preferences p
      JOIN organizations o ON o.id = p.organization_id AND ${visibleOrganization(scope, 'o')}
      WHERE ${kind} = ANY(p.kinds) GROUP BY 1`);
  }
}
