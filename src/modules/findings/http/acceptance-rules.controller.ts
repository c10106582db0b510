import { Body, Controller } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { ResponseField } from '../../../platform/api/response-field';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Flag } from '../../../platform/http/fields';
import { Operation } from '../../../platform/http/operation';
import { PathId } from '../../../platform/http/path-id';
import { AcceptanceRules } from '../changes/acceptance-rules.service';

export class AcceptanceRequest {
  @Flag({ description: 'Whether an accepted risk needs a comment.' })
  comment!: boolean;

  @Flag({ description: 'Whether an accepted risk needs a last day.' })
  until!: boolean;
}

class AcceptanceResponse {
  @ResponseField.boolean({ description: 'Whether an accepted risk needs a comment.' })
  comment!: boolean;

  @ResponseField.boolean({ description: 'Whether an accepted risk needs a last day.' })
  until!: boolean;
}

@Controller()
export class AcceptanceRulesController {
  constructor(private readonly rules: AcceptanceRules) {}

  @Operation('GET /v1/organizations/{organization_id}/settings/acceptance', {
    id: 'getAcceptance',
    tag: 'Settings',
    summary: 'Read what accepting a risk requires',
    description: 'Whether findings get the status 6 only with a `comment`, and only with `until`.',
    role: 'viewer',
    entityTag: true,
    success: { description: 'The setting.', body: AcceptanceResponse, example: { comment: true, until: false } },
  })
  async get(@CurrentCaller() caller: Caller, @PathId('organization_id') id: number): Promise<AcceptanceResponse> {
    const { acceptanceNeedsComment, acceptanceNeedsEnd } = await this.rules.get(caller.scope, id);
    return { comment: acceptanceNeedsComment, until: acceptanceNeedsEnd };
  }

  @Operation('PUT /v1/organizations/{organization_id}/settings/acceptance', {
    id: 'changeAcceptance',
    tag: 'Settings',
    summary: 'Set what accepting a risk requires',
    description: 'Risks that are accepted already stay as they are.',
    role: 'admin',
    body: { example: { comment: true, until: true } },
    ifMatch: 'getAcceptance',
    success: { description: 'The setting.', body: AcceptanceResponse, example: { comment: true, until: true } },
    audit: { operation: 'settings.acceptance_change', resource: 'settings' },
  })
  async change(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') id: number,
    @Body() { comment, until }: AcceptanceRequest,
  ): Promise<AcceptanceResponse> {
    await this.rules.change(caller, id, { acceptanceNeedsComment: comment, acceptanceNeedsEnd: until });
    return { comment, until };
  }
}
