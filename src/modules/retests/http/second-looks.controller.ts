import { Body, Controller } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { ResponseField } from '../../../platform/api/response-field';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Integer } from '../../../platform/http/fields';
import { Operation } from '../../../platform/http/operation';
import { PathId } from '../../../platform/http/path-id';
import { MAX_SECOND_LOOK_HOURS, SecondLooks } from '../second-looks.service';

export class ChangeSecondLookRequest {
  @Integer(1, MAX_SECOND_LOOK_HOURS, { nullable: true, description: 'After how many hours; null for never.' })
  hours?: number | null;
}

class SecondLookResponse {
  @ResponseField.integer({ nullable: true, description: 'After how many hours; null for never.' })
  hours!: number | null;
}

@Controller()
export class SecondLooksController {
  constructor(private readonly looks: SecondLooks) {}

  @Operation('GET /v1/organizations/{organization_id}/settings/second-look', {
    id: 'getSecondLook',
    tag: 'Settings',
    summary: 'Read when fixed findings are looked at again',
    description: 'When `fixed` of a retest is looked at once more. New organizations have 6 hours.',
    role: 'viewer',
    entityTag: true,
    success: { description: 'The setting.', body: SecondLookResponse, example: { hours: 6 } },
  })
  async get(@CurrentCaller() caller: Caller, @PathId('organization_id') id: number): Promise<SecondLookResponse> {
    return { hours: await this.looks.hoursOf(caller.scope, id) };
  }

  @Operation('PUT /v1/organizations/{organization_id}/settings/second-look', {
    id: 'changeSecondLook',
    tag: 'Settings',
    summary: 'Set when fixed findings are looked at again',
    description: 'Looks that are planned already keep their time.',
    role: 'admin',
    body: { example: { hours: 12 } },
    ifMatch: 'getSecondLook',
    success: { description: 'The setting.', body: SecondLookResponse, example: { hours: 12 } },
    audit: { operation: 'settings.second_look_change', resource: 'settings' },
  })
  async change(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') id: number,
    @Body() { hours = null }: ChangeSecondLookRequest,
  ): Promise<SecondLookResponse> {
    await this.looks.changeHours(caller, id, hours);
    return { hours };
  }
}
