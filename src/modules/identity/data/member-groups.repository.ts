import { Injectable } from '@nestjs/common';
import { conflict } from '../../../kernel/domain-error';
import type { Page, Slice } from '../../../kernel/page';
import { Database } from '../../../platform/database/database';
import { onViolation } from '../../../platform/database/database-errors';
import { byId, readSlice } from '../../../platform/database/list-order';
import { raw, sql } from '../../../platform/database/sql';
import { MemberGroup } from './member-group.entity';

export interface GroupOfMembers {
  readonly id: number;
  readonly name: string;
  readonly memberIds: readonly number[];
}

const nameTaken = () => conflict('name is that of another group of the organization. Choose another name.');

const columns = raw(`g.id, g.name, ARRAY(SELECT m.user_id FROM member_group_members m
  WHERE m.group_id = g.id AND m.organization_id = g.organization_id ORDER BY m.user_id) AS "memberIds"`);
const newestFirst = byId<GroupOfMembers>('g.id');

/** The organization is one that the caller can see. */
@Injectable()
export class MemberGroupsRepository {
  constructor(private readonly database: Database) {}

  listOf(organizationId: number, page: Page): Promise<Slice<GroupOfMembers>> {
    const list = sql`FROM member_groups g WHERE g.organization_id = ${organizationId}`;
    const rows = sql`SELECT ${columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  find(organizationId: number, id: number): Promise<GroupOfMembers | undefined> {
    return this.database.shortRow<GroupOfMembers>(
      sql`SELECT ${columns} FROM member_groups g WHERE g.id = ${id} AND g.organization_id = ${organizationId}`,
    );
  }

  async add(organizationId: number, name: string): Promise<number> {
    const repository = await this.database.repository(MemberGroup);
    const { identifiers } = await onViolation(repository.insert({ organizationId, name }), {
      uq_member_groups_name: nameTaken,
    });
    return (identifiers[0] as { id: number }).id;
  }

  async rename(organizationId: number, id: number, name: string): Promise<void> {
    const repository = await this.database.repository(MemberGroup);
    await onViolation(repository.update({ id, organizationId }, { name }), { uq_member_groups_name: nameTaken });
  }

  /** Of the users only those who are members. */
  async saveMembers(organizationId: number, id: number, userIds: readonly number[]): Promise<void> {
    await this.database.change(sql`
      DELETE FROM member_group_members
      WHERE group_id = ${id} AND organization_id = ${organizationId} AND user_id <> ALL(${userIds}::int[])`);
    await this.database.change(sql`
      INSERT INTO member_group_members (group_id, user_id, organization_id)
      SELECT ${id}, m.user_id, m.organization_id FROM memberships m
      WHERE m.organization_id = ${organizationId} AND m.user_id = ANY(${userIds}::int[]) ON CONFLICT DO NOTHING`);
  }

  async remove(organizationId: number, id: number): Promise<void> {
    const repository = await this.database.repository(MemberGroup);
    await repository.delete({ id, organizationId });
  }
}
