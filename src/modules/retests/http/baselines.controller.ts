import { Body, Controller } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PathId } from '../../../platform/http/path-id';
import { BaselinesService } from '../baselines.service';
import { ConfirmBaselineRequest, ConfirmRefusalRequest } from './baseline.requests';
import {
  baselineExample,
  BaselineResponse,
  confirmedBaselineExample,
  confirmedRefusalExample,
  presentBaseline,
} from './baseline.responses';

@Controller()
export class BaselinesController {
  constructor(private readonly baselines: BaselinesService) {}

  @Operation('GET /v1/findings/{finding_id}/baseline', {
    id: 'getFindingBaseline',
    tag: 'Findings',
    summary: 'Read the baseline of a finding, and the site as it is now',
    role: 'viewer',
    success: { description: 'Both pages.', body: BaselineResponse, example: baselineExample },
    entityTag: true,
    errors: [401, 403, 404, 409],
  })
  async get(@CurrentCaller() caller: Caller, @PathId('finding_id') findingId: number): Promise<BaselineResponse> {
    return presentBaseline(await this.baselines.get(caller.scope, findingId));
  }

  @Operation('PUT /v1/findings/{finding_id}/baseline', {
    id: 'confirmFindingBaseline',
    tag: 'Findings',
    summary: 'Confirm that the site of a finding is the same after a change',
    description:
      'Retests of all findings of the origin then compare with the page that `retest` saw. They can say `fixed` an hour later. Without such a page the response is 409.',
    role: 'admin',
    ifMatch: 'getFindingBaseline',
    body: { example: { retest: '019a8c5e-7b00-7cc4-9a53-0d4f2c6b1e77' } },
    success: {
      description: 'The new baseline.',
      body: BaselineResponse,
      example: confirmedBaselineExample,
    },
    errors: [400, 401, 403, 404, 409],
    audit: { operation: 'finding.confirm_baseline', resource: 'finding', id: 'finding_id' },
  })
  async confirm(
    @CurrentCaller() caller: Caller,
    @PathId('finding_id') findingId: number,
    @Body() { retest }: ConfirmBaselineRequest,
  ): Promise<BaselineResponse> {
    return presentBaseline(await this.baselines.confirm(caller, findingId, retest));
  }

  @Operation('PUT /v1/findings/{finding_id}/baseline/refusal', {
    id: 'confirmFindingRefusal',
    tag: 'Findings',
    summary: 'Confirm that a refusal is the fix of a finding',
    description:
      'Of a `blocked` retest. Later retests are then `fixed`, marked `by_refusal`, while the page and the twin get the answers of the confirmation. Without such a refusal the response is 409.',
    role: 'admin',
    ifMatch: 'getFindingBaseline',
    body: {
      example: {
        retest: '019a8c5e-7b00-7cc4-9a53-0d4f2c6b1e77',
        reason: 'The server denies all files that begin with a dot.',
        applies_to: 'origin',
      },
    },
    success: { description: 'The baseline.', body: BaselineResponse, example: confirmedRefusalExample },
    errors: [400, 401, 403, 404, 409],
    audit: { operation: 'finding.confirm_refusal', resource: 'finding', id: 'finding_id' },
  })
  async confirmRefusal(
    @CurrentCaller() caller: Caller,
    @PathId('finding_id') findingId: number,
    @Body() { retest, reason, applies_to }: ConfirmRefusalRequest,
  ): Promise<BaselineResponse> {
    const confirmation = { retest, reason, isForOrigin: applies_to === 'origin' };
    return presentBaseline(await this.baselines.confirmRefusal(caller, findingId, confirmation));
  }
}
