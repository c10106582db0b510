import { Body, Controller } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PathId } from '../../../platform/http/path-id';
import { FindingLists } from '../lists/finding-lists';
import { FindingMergesService } from '../scans/finding-merges.service';
import { MergeFindingsRequest, SeparateFindingsRequest } from './finding.requests';
import { FindingListResponse, findingExample, presentFinding } from './finding.responses';

@Controller()
export class FindingMergesController {
  constructor(
    private readonly merges: FindingMergesService,
    private readonly lists: FindingLists,
  ) {}

  @Operation('POST /v1/findings/{finding_id}/merge', {
    number: 'addition',
    id: 'mergeFindings',
    tag: 'Findings',
    summary: 'Merge findings into this one',
    description:
      'Up to 100 findings of the same organization become parts of this one, all or none. They count once from then on, and later sightings of each are sightings of this finding. Findings that are merged into one of them become parts of this one as well. A merge that would hide an open finding returns 409, and only an admin may merge a finding into a less severe one.',
    role: 'member',
    body: { example: { finding_ids: [4712, 4713] } },
    ifMatch: 'getFinding',
    success: {
      status: 200,
      description: 'A list with this finding.',
      body: FindingListResponse,
      example: { findings: [findingExample] },
    },
    errors: [400, 401, 403, 404, 409, 422],
    audit: { operation: 'finding.merge', resource: 'finding', id: 'finding_id' },
  })
  async merge(
    @CurrentCaller() caller: Caller,
    @PathId('finding_id') id: number,
    @Body() { finding_ids: ids }: MergeFindingsRequest,
  ): Promise<FindingListResponse> {
    await this.merges.merge(caller, id, ids);
    return { findings: [presentFinding(await this.lists.get(caller.scope, id))] };
  }

  @Operation('POST /v1/findings/{finding_id}/separate', {
    number: 'addition',
    id: 'separateFindings',
    tag: 'Findings',
    summary: 'Separate findings that are merged into this one',
    description:
      'Each gets back its status from before the merge and its own sightings, all or none. A finding that was resolved and has been seen since is reopened.',
    role: 'member',
    body: { example: { finding_ids: [4713] } },
    ifMatch: 'getFinding',
    success: {
      status: 200,
      description: 'A list with this finding.',
      body: FindingListResponse,
      example: { findings: [findingExample] },
    },
    errors: [400, 401, 403, 404, 409],
    audit: { operation: 'finding.separate', resource: 'finding', id: 'finding_id' },
  })
  async separate(
    @CurrentCaller() caller: Caller,
    @PathId('finding_id') id: number,
    @Body() { finding_ids: ids }: SeparateFindingsRequest,
  ): Promise<FindingListResponse> {
    await this.merges.separate(caller, id, ids);
    return { findings: [presentFinding(await this.lists.get(caller.scope, id))] };
  }
}
