import { Integer, Name } from '../../../platform/http/fields';
import { RecordsQueryOf } from '../../../platform/http/page-query';

export class CreateOrganizationRequest {
  @Name(200, { description: 'Unique among the organizations of the integrator, whatever its case.' })
  name!: string;

  @Integer(0, 1_000_000, { nullable: true, description: 'How many assets it may have; null for no limit.' })
  assets_limit?: number | null;
}

export class ListOrganizationsQuery extends RecordsQueryOf(100) {}
