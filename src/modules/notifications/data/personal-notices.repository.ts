import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { ownedIn } from '../../../platform/database/visible';
import type { MailKind } from '../domain/mail-kinds';
import { PersonalNotice } from './personal-notice.entity';

export type NewNotice = Pick<PersonalNotice, 'userId' | 'kind' | 'reference' | 'findingId'>;

/** Those that are sent in one mail. */
export interface Addressee {
  readonly organizationId: number;
  readonly userId: number;
  readonly kind: MailKind;
}

/** The id is that of one of the new notices. */
export type AddedNotices = Addressee & { readonly id: string; readonly lastSent: Date | null };

@Injectable()
export class PersonalNoticesRepository {
  private readonly columns = this.database.columns(PersonalNotice, 'n');

  constructor(private readonly database: Database) {}

  /** Those that their members want and that were not added before. */
  add(organizationId: number, notices: readonly NewNotice[], created: Date): Promise<AddedNotices[]> {
    const rows = notices.map((notice) => ({ ...notice, organizationId, created }));
    return this.database.rows<AddedNotices>(sql`
      WITH added AS (
        INSERT INTO personal_notices ${this.database.insertedRows(PersonalNotice, rows)}
        JOIN mail_preferences p ON p.organization_id = ${organizationId} AND p.user_id = r."userId" AND r.kind = ANY(p.kinds)
        ON CONFLICT DO NOTHING RETURNING id, user_id, kind)
      SELECT ${organizationId}::int AS "organizationId", a.user_id AS "userId", a.kind, max(a.id) AS id,
        (SELECT max(n.taken) FROM personal_notices n
         WHERE n.organization_id = ${organizationId} AND n.user_id = a.user_id AND n.kind = a.kind) AS "lastSent"
      FROM added a GROUP BY a.user_id, a.kind`);
  }

  /** The oldest, so that no other attempt sends them. None if the member has turned the kind off or has left. */
  take({ organizationId, userId, kind }: Addressee, now: Date, limit: number): Promise<PersonalNotice[]> {
    return this.database.rows<PersonalNotice>(sql`
      UPDATE personal_notices n SET taken = ${now}
      WHERE n.organization_id = ${organizationId} AND n.id IN (
        SELECT w.id FROM personal_notices w
        WHERE w.organization_id = ${organizationId} AND w.user_id = ${userId} AND w.kind = ${kind} AND w.taken IS NULL
          AND EXISTS (SELECT 1 FROM mail_preferences p
            WHERE p.organization_id = w.organization_id AND p.user_id = w.user_id AND w.kind = ANY(p.kinds))
        ORDER BY w.id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING ${this.columns}`);
  }

  /** The mail was refused, so they are sent by the next attempt. */
  async giveBack(organizationId: number, ids: readonly string[]): Promise<void> {
    await this.database.change(sql`
      UPDATE personal_notices SET taken = NULL
      WHERE organization_id = ${organizationId} AND id = ANY(${ids}::bigint[])`);
  }

  deleteCreatedBefore(scope: Scope, date: Date, limit: number): Promise<number> {
    return this.database.change(sql`
      DELETE FROM personal_notices WHERE (id, organization_id) IN (
        SELECT id, organization_id FROM personal_notices WHERE created < ${date} AND ${ownedIn(scope, 'organization_id')}
        ORDER BY created LIMIT ${limit})`);
  }
}
