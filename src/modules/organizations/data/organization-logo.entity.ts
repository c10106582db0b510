import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { LogoMediaType } from '../domain/logo-image';

/** The logo of an organization on the title page of its reports. */
@Entity({ name: 'organization_logos' })
export class OrganizationLogo {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'int',
    primaryKeyConstraintName: 'pk_organization_logos',
  })
  organizationId!: number;

  @Column({ name: 'media_type', type: 'text' })
  mediaType!: LogoMediaType;

  /** In pixels, like the height. */
  @Column({ type: 'int' })
  width!: number;

  @Column({ type: 'int' })
  height!: number;

  @Column({ type: 'bytea' })
  sha256!: Buffer;

  @Column({ type: 'bytea' })
  content!: Buffer;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
