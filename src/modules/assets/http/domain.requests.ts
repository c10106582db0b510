import { Id, Text } from '../../../platform/http/fields';
import { PageQuery } from '../../../platform/http/page-query';

export class CreateDomainRequest {
  @Text(1, 1000, { description: 'A domain that can be registered, or one below it. Kept in lower case and in ASCII.' })
  value!: string;

  @Id({ nullable: true, description: 'May be left out by who can see only one organization.' })
  organization_id?: number | null;
}

export class ListDomainsQuery extends PageQuery {}
