import { Body, Controller, Post } from '@nestjs/common';
import { OrganizationsService } from '../../modules/organizations';
import { FindingBulkService } from '../../modules/retests';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { SeeOther } from '../frame/page';
import { Changes } from '../http/route-metadata';
import { findingsUrlOf } from '../urls';
import { noticeOfBulk } from './bulk-notice';
import { BulkForm } from './bulk.requests';
import { canonicalQuery } from './findings.requests';

/** Changes the selected findings of the list. */
@Controller('o/:organization/findings/bulk')
export class BulkController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly bulk: FindingBulkService,
  ) {}

  @Post()
  @Changes({ operation: 'finding.bulk_change', resource: 'finding' })
  async change(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @Body() form: BulkForm,
  ): Promise<SeeOther> {
    const url = findingsUrlOf(organizationId, await canonicalQuery(form.query ?? ''));
    const { id } = await this.organizations.get(caller.scope, organizationId);
    return new SeeOther(url, noticeOfBulk(await this.bulk.apply(caller, form.ids, form.bulkAction, id)));
  }
}
