import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';
import type { Role } from '../../../kernel/role';

/** A link with which one person joins an organization. */
@Entity({ name: 'invitations' })
export class Invitation extends NumberedRow {
  @Column({ type: 'text' })
  email!: string;

  @Column({ name: 'folded_email', type: 'text' })
  foldedEmail!: string;

  @Column({ type: 'text' })
  role!: Role;

  /** The token itself is only in the link. */
  @Column({ name: 'token_hash', type: 'bytea', unique: true })
  tokenHash!: Buffer;

  /** Only the address has the link, so that opening it proves the address. */
  @Column({ name: 'is_mailed', type: 'boolean', default: false })
  isMailed!: boolean;

  @Column({ name: 'invited_by', type: 'int' })
  invitedBy!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expires!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  accepted!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revoked!: Date | null;
}
