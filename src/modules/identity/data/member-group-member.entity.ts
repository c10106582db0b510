import { Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** A member in a group. It ends with the membership. */
@Entity({ name: 'member_group_members' })
export class MemberGroupMember extends TenantRow {
  @PrimaryColumn({ name: 'group_id', type: 'int' })
  groupId!: number;

  @PrimaryColumn({ name: 'user_id', type: 'int' })
  userId!: number;
}
