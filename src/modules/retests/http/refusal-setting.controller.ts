import { Body, Controller } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { ResponseField } from '../../../platform/api/response-field';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Flag } from '../../../platform/http/fields';
import { Operation } from '../../../platform/http/operation';
import { PathId } from '../../../platform/http/path-id';
import { RefusalSetting } from '../refusal-setting.service';

const DESCRIPTION =
  'Whether 401, 403, 404, 410 and 451 of the server of the site count as a fix for the tested path alone.';

class ChangeRefusalSettingRequest {
  @Flag({ description: DESCRIPTION })
  refusals_count_as_fixed!: boolean;
}

class RefusalSettingResponse {
  @ResponseField.boolean({ description: DESCRIPTION })
  refusals_count_as_fixed!: boolean;
}

@Controller()
export class RefusalSettingController {
  constructor(private readonly setting: RefusalSetting) {}

  @Operation('GET /v1/organizations/{organization_id}/settings/refusals', {
    id: 'getRefusalSetting',
    tag: 'Settings',
    summary: 'Read whether refusals count as fixed',
    role: 'viewer',
    entityTag: true,
    success: { description: 'The setting.', body: RefusalSettingResponse, example: { refusals_count_as_fixed: false } },
  })
  async get(@CurrentCaller() caller: Caller, @PathId('organization_id') id: number): Promise<RefusalSettingResponse> {
    return { refusals_count_as_fixed: await this.setting.get(caller.scope, id) };
  }

  @Operation('PUT /v1/organizations/{organization_id}/settings/refusals', {
    id: 'changeRefusalSetting',
    tag: 'Settings',
    summary: 'Set whether refusals count as fixed',
    description: 'For later tests. Refusals by firewalls, limits, outages and sign-ins never count.',
    role: 'owner',
    body: { example: { refusals_count_as_fixed: true } },
    ifMatch: 'getRefusalSetting',
    success: { description: 'The setting.', body: RefusalSettingResponse, example: { refusals_count_as_fixed: true } },
    errors: [400, 401, 403, 404, 409],
    audit: { operation: 'settings.refusals_change', resource: 'settings' },
  })
  async change(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') id: number,
    @Body() { refusals_count_as_fixed }: ChangeRefusalSettingRequest,
  ): Promise<RefusalSettingResponse> {
    await this.setting.change(caller, id, refusals_count_as_fixed);
    return { refusals_count_as_fixed };
  }
}
