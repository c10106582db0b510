import { Flag, Text } from '../../platform/http/fields';
import { PageQuery } from '../../platform/http/page-query';

export class DomainsQuery extends PageQuery {
  @Text(0, 253, { optional: true })
  value?: string;

  /** Only unverified ones. */
  @Flag({ optional: true })
  unproven?: boolean;
}

export class DomainForm {
  @Text(1, 1000)
  value!: string;
}
