import { Shown } from '../../../platform/api/shown';
import type { Organization } from '../data/organization.entity';

export class OrganizationResponse {
  @Shown.integer()
  id!: number;

  @Shown.string()
  name!: string;
}

export class OrganizationListResponse {
  @Shown.list(OrganizationResponse)
  organizations!: OrganizationResponse[];
}

export const presentOrganization = ({ id, name }: Organization): OrganizationResponse => ({ id, name });
