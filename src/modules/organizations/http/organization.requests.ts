import { Integer, Name } from '../../../platform/http/fields';
import { PageQueryOf } from '../../../platform/http/page-query';

export class CreateOrganizationRequest {
  @Name(200, { description: 'Unique among the organizations of the integrator, case-insensitive.' })
  name!: string;

  @Integer(0, 1_000_000, { nullable: true, description: 'The maximum number of assets; null for no limit.' })
  assets_limit?: number | null;
}

export class ListOrganizationsQuery extends PageQueryOf(100) {}
