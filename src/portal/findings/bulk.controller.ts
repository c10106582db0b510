import { Body, Controller } from '@nestjs/common';
import { FindingBulkService } from '../../modules/retests';
import { SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { findingsUrlOf } from '../urls';
import { noticeOfBulk } from './bulk-notice';
import { BulkForm } from './bulk.requests';
import { canonicalQuery } from './findings.requests';

/** Changes the selected findings of the list. */
@Controller('o/:organization/findings/bulk')
export class BulkController {
  constructor(private readonly bulk: FindingBulkService) {}

  @PostChange('', { operation: 'finding.bulk_change', resource: 'finding' })
  async change(@InOrganization() { caller, organizationId }: Place, @Body() form: BulkForm): Promise<SeeOther> {
    const url = findingsUrlOf(organizationId, await canonicalQuery(form.query ?? ''));
    return new SeeOther(url, noticeOfBulk(await this.bulk.apply(caller, form.ids, form.bulkAction, organizationId)));
  }
}
