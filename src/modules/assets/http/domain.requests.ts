import { Id, Text } from '../../../platform/http/fields';

export class CreateDomainRequest {
  @Text(1, 1000, { description: 'A registrable domain or a subdomain of one. Stored in lower case and in ASCII.' })
  value!: string;

  @Id({ nullable: true, description: 'Optional if the caller has access to only one organization.' })
  organization_id?: number | null;
}
