import { ResponseField } from '../../../platform/api/response-field';
import type { Organization } from '../data/organization.entity';

export class OrganizationResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.string()
  name!: string;
}

export class OrganizationListResponse {
  @ResponseField.list(OrganizationResponse)
  organizations!: OrganizationResponse[];
}

export const presentOrganization = ({ id, name }: Organization): OrganizationResponse => ({ id, name });
