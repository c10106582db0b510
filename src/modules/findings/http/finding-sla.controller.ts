import { Body, Controller } from '@nestjs/common';
import { ResponseField } from '../../../platform/api/response-field';
import type { Caller } from '../../../platform/api/caller';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PathId } from '../../../platform/http/path-id';
import type { Sla } from '../domain/sla';
import { FindingSlaService } from '../changes/finding-sla.service';
import { ChangeSlaRequest } from './finding.requests';

const DAYS = { nullable: true, description: 'In days; null for no limit.' };

class SlaResponse {
  @ResponseField.integer(DAYS)
  critical!: number | null;

  @ResponseField.integer(DAYS)
  high!: number | null;

  @ResponseField.integer(DAYS)
  medium!: number | null;

  @ResponseField.integer(DAYS)
  low!: number | null;
}

const presentSla = ({ critical, high, medium, low }: Sla): SlaResponse => ({ critical, high, medium, low });

@Controller()
export class FindingSlaController {
  constructor(private readonly slas: FindingSlaService) {}

  @Operation('GET /v1/organizations/{organization_id}/settings/sla', {
    number: 'addition',
    id: 'getSla',
    tag: 'Settings',
    summary: 'Read the SLA of an organization',
    description: 'The days in which findings of each severity are to be fixed, which set their due dates.',
    role: 'viewer',
    entityTag: true,
    success: {
      status: 200,
      description: 'The SLA.',
      body: SlaResponse,
      example: { critical: 7, high: 30, medium: 90, low: 180 },
    },
  })
  async get(@CurrentCaller() caller: Caller, @PathId('organization_id') id: number): Promise<SlaResponse> {
    return presentSla(await this.slas.get(caller.scope, id));
  }

  @Operation('PATCH /v1/organizations/{organization_id}/settings/sla', {
    number: 'addition',
    id: 'changeSla',
    tag: 'Settings',
    summary: 'Change the SLA of an organization',
    description:
      'Fields that are absent stay as they are. A worker then moves the due dates of open findings, except those that were set by hand.',
    role: 'admin',
    body: { example: { critical: 3, low: null } },
    ifMatch: 'getSla',
    success: {
      status: 200,
      description: 'The SLA.',
      body: SlaResponse,
      example: { critical: 3, high: 30, medium: 90, low: null },
    },
    audit: { operation: 'settings.sla_change', resource: 'settings' },
  })
  async change(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') id: number,
    @Body() { critical, high, medium, low }: ChangeSlaRequest,
  ): Promise<SlaResponse> {
    return presentSla(await this.slas.change(caller, id, { critical, high, medium, low }));
  }
}
