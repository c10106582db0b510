import { Body, Controller, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { groupBy } from '../../kernel/group-by';
import { OrganizationsService } from '../../modules/organizations';
import { type BulkResult, FindingBulkService } from '../../modules/retests';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { pluralize } from '../frame/words';
import { SeeOther } from '../frame/page';
import { setNotice } from '../http/notice';
import { Changes } from '../http/route-metadata';
import { BulkForm } from './bulk.requests';
import { canonicalQuery } from './findings.requests';
import { findingsUrlOf } from './findings-url';

const MAX_NAMED = 10;

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
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const url = findingsUrlOf(organizationId, await canonicalQuery(form.query ?? ''));
    const { id } = await this.organizations.get(caller.scope, organizationId);
    setNotice(response, noticeOf(await this.bulk.apply(caller, form.ids, form.bulkAction, id)));
    return new SeeOther(url);
  }
}

/** How many were changed, and which were not and why. */
function noticeOf(results: readonly BulkResult[]): string {
  const refused = results.filter(({ error }) => error !== null);
  const changed = results.length - refused.length;
  const reasons = [...groupBy(refused, ({ error }) => error?.message ?? '')].map(
    ([reason, ofReason]) => `${numbersOf(ofReason)}: ${reason}`,
  );
  const sentences = [`${pluralize(changed, 'finding')} changed.`];
  if (refused.length > 0) sentences.push(`${refused.length} refused. ${reasons.join(' ')}`);
  return sentences.join(' ');
}

function numbersOf(results: readonly BulkResult[]): string {
  const named = results.slice(0, MAX_NAMED).map(({ findingId }) => `#${findingId}`);
  const others = results.length - named.length;
  return `${named.join(', ')}${others === 0 ? '' : ` and ${others} more`}`;
}
