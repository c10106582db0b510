import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';

/** A named group of members, which may own assets. */
@Entity({ name: 'member_groups' })
export class MemberGroup extends NumberedRow {
  @Column({ type: 'text' })
  name!: string;
}
