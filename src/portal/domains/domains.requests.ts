import { Text } from '../../platform/http/fields';
import { PageQuery } from '../../platform/http/page-query';

export class DomainsQuery extends PageQuery {
  @Text(0, 253, { optional: true })
  value?: string;
}

export class DomainForm {
  @Text(1, 1000)
  value!: string;
}
