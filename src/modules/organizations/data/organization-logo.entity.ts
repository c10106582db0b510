import { Column, Entity } from 'typeorm';
import { StoredPicture } from '../../../platform/database/stored-picture';

/** The logo of an organization on the title page of its reports. */
@Entity({ name: 'organization_logos' })
export class OrganizationLogo extends StoredPicture {
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
