import { Column, Entity, PrimaryColumn } from 'typeorm';
import { StoredPicture } from '../../../platform/database/stored-picture';

/** The logo of an organization on the title page of its reports. */
@Entity({ name: 'organization_logos' })
export class OrganizationLogo extends StoredPicture {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'int',
    primaryKeyConstraintName: 'pk_organization_logos',
  })
  organizationId!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
