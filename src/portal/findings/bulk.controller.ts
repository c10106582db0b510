import { Body, Controller } from '@nestjs/common';
import { FindingBulkService, FindingSelectionsService } from '../../modules/retests';
import { SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { findingsUrl, findingsUrlOf, selectionUrl } from '../urls';
import { noticeOfBulk } from './bulk-notice';
import { BulkForm, ClaimsForm } from './bulk.requests';
import { FindingListReader } from './finding-list-reader';
import { canonicalQuery, queryIn } from './findings.requests';

const MAX_TESTS = 200;
const NO_CLAIM = 'Each claim of the list was tested, or is under test.';

/** Changes the selected findings of the list, or tests what it claims. */
@Controller('o/:organization/findings')
export class BulkController {
  constructor(
    private readonly bulk: FindingBulkService,
    private readonly selections: FindingSelectionsService,
    private readonly reader: FindingListReader,
  ) {}

  /** Starts retests of the claims of a list, as many as an organization may have unfinished. The list then has those under way. */
  @PostChange('claims', { operation: 'finding.test_claims', resource: 'finding' })
  async testClaims(@InOrganization() place: Place, @Body() { query }: ClaimsForm): Promise<SeeOther> {
    const { caller, organizationId } = place;
    const ids = await this.reader.listUntestedClaims(place, await queryIn(query), MAX_TESTS);
    const results = await this.bulk.apply(caller, ids, { kind: 'retest' }, organizationId);
    const url = findingsUrl(organizationId, { retest: 'running', sort: 'priority' });
    return new SeeOther(url, ids.length === 0 ? NO_CLAIM : noticeOfBulk(results, 'claim'));
  }

  @PostChange('bulk', { operation: 'finding.bulk_change', resource: 'finding' })
  async change(@InOrganization() place: Place, @Body() form: BulkForm): Promise<SeeOther> {
    const { caller, organizationId } = place;
    if (form.isOfFilter) {
      const filter = await this.reader.filterOf(place, await queryIn(form.query ?? ''));
      const chosen = form.isOfList ? undefined : { titleKeys: form.titleKeys, ids: form.ids };
      const id = await this.selections.create(caller, organizationId, { ...filter, chosen }, form.bulkAction);
      return new SeeOther(selectionUrl(organizationId, id));
    }
    const url = findingsUrlOf(organizationId, await canonicalQuery(form.query ?? ''));
    return new SeeOther(url, noticeOfBulk(await this.bulk.apply(caller, form.ids, form.bulkAction, organizationId)));
  }
}
