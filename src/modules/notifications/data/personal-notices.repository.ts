import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { ListOrder, readSlice } from '../../../platform/database/list-order';
import { emptySql, type Sql, sql } from '../../../platform/database/sql';
import { ownedIn } from '../../../platform/database/visible';
import type { MailKind } from '../domain/mail-kinds';
import { PersonalNotice } from './personal-notice.entity';

export type NewNotice = Pick<PersonalNotice, 'userId' | 'kind' | 'reference' | 'findingId'>;

/** Whose inbox it is. */
export type InboxOwner = Pick<PersonalNotice, 'organizationId' | 'userId'>;

/** Older entries of an inbox are removed. */
const MAX_ENTRIES = 1_000;

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

  /** Adds those that were not added before, and returns those of them that wait for mail. */
  add(
    organizationId: number,
    notices: readonly (NewNotice & Pick<PersonalNotice, 'taken'>)[],
    created: Date,
  ): Promise<AddedNotices[]> {
    const rows = notices.map((notice) => ({ ...notice, organizationId, created, read: null }));
    return this.database.rows<AddedNotices>(sql`
      WITH added AS (
        INSERT INTO personal_notices ${this.database.insertedRows(PersonalNotice, rows)}
        ON CONFLICT DO NOTHING RETURNING id, user_id, kind, taken)
      SELECT ${organizationId}::int AS "organizationId", a.user_id AS "userId", a.kind, max(a.id) AS id,
        (SELECT max(n.taken) FROM personal_notices n
         WHERE n.organization_id = ${organizationId} AND n.user_id = a.user_id AND n.kind = a.kind) AS "lastSent"
      FROM added a WHERE a.taken IS NULL GROUP BY a.user_id, a.kind`);
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

  list(owner: InboxOwner, isUnread: boolean, page: Page): Promise<Slice<PersonalNotice>> {
    const unread = isUnread ? sql`AND n.read IS NULL` : emptySql;
    const list = sql`FROM personal_notices n WHERE ${of(owner)} AND n.id > ${lastLeftOut(owner)} ${unread}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  /** How many are unread, and the newest of them. */
  async findUnread(owner: InboxOwner): Promise<{ readonly count: number; readonly newest: string | null }> {
    const row = await this.database.row<{ count: number; newest: string | null }>(sql`
      SELECT count(*)::int AS count, max(n.id) AS newest FROM personal_notices n
      WHERE ${of(owner)} AND n.id > ${lastLeftOut(owner)} AND n.read IS NULL`);
    return row ?? { count: 0, newest: null };
  }

  /** Returns 0 if it is none of them. */
  markRead(owner: InboxOwner, id: number, now: Date): Promise<number> {
    return this.mark(owner, sql`n.id = ${id}`, now);
  }

  /** Those that came until an entry, or all. */
  markAllRead(owner: InboxOwner, last: number | undefined, now: Date): Promise<number> {
    return this.mark(owner, sql`n.read IS NULL AND n.id <= coalesce(${last ?? null}::bigint, n.id)`, now);
  }

  /** Removes what is older than the newest entries of these members. What waits for mail stays, and so does what must not be sent again. */
  async removeOldest(organizationId: number, userIds: readonly number[]): Promise<void> {
    for (const userId of userIds) {
      const owner = { organizationId, userId };
      await this.database.change(sql`
        DELETE FROM personal_notices WHERE organization_id = ${organizationId} AND id = ANY(ARRAY(
          SELECT n.id FROM personal_notices n WHERE ${of(owner)} AND n.id <= ${lastLeftOut(owner)}
            AND n.taken IS NOT NULL AND n.kind NOT IN ('due_soon', 'account') ORDER BY n.id FOR UPDATE))`);
    }
  }

  /** Locks them in the order of their ids. */
  private mark(owner: InboxOwner, condition: Sql, now: Date): Promise<number> {
    return this.database.change(sql`
      UPDATE personal_notices SET read = coalesce(read, ${now})
      WHERE organization_id = ${owner.organizationId} AND id = ANY(ARRAY(
        SELECT n.id FROM personal_notices n WHERE ${of(owner)} AND ${condition} ORDER BY n.id FOR UPDATE))`);
  }

  deleteCreatedBefore(scope: Scope, date: Date, limit: number): Promise<number> {
    return this.database.change(sql`
      DELETE FROM personal_notices WHERE (id, organization_id) IN (
        SELECT id, organization_id FROM personal_notices WHERE created < ${date} AND ${ownedIn(scope, 'organization_id')}
        ORDER BY created LIMIT ${limit})`);
  }
}

const newestFirst = new ListOrder<PersonalNotice>(['n.id'], ({ id }) => [Number(id)]);

const of = ({ organizationId, userId }: InboxOwner): Sql =>
  sql`n.organization_id = ${organizationId} AND n.user_id = ${userId}`;

/** The newest entry beyond the limit. */
const lastLeftOut = ({ organizationId, userId }: InboxOwner): Sql => sql`coalesce((
  SELECT o.id FROM personal_notices o WHERE o.organization_id = ${organizationId} AND o.user_id = ${userId}
  ORDER BY o.id DESC OFFSET ${MAX_ENTRIES} LIMIT 1), 0)`;
