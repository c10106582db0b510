import { Column, Entity } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** An organization that is reached through its provider alone. */
@Entity({ name: 'provider_requirements' })
export class ProviderRequirement extends TenantRow {
  /** Keys that other sessions make later do not open it. */
  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date;

  /** The owner who may still come in with a password. */
  @Column({ name: 'break_glass_user_id', type: 'int', nullable: true })
  breakGlassUserId!: number | null;
}
