import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { ResponseField } from '../../../platform/api/response-field';
import { Acknowledgement, deleted } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { ListOf } from '../../../platform/http/fields';
import { idsOf } from '../../../platform/http/ids-of';
import { Operation } from '../../../platform/http/operation';
import { PathId } from '../../../platform/http/path-id';
import { Label, normalizeLabel } from '../../findings';
import {
  type AcceptedCheckOnManyView,
  MAX_CRITICAL_FINDINGS,
  AcceptedChecksOnManyService,
} from '../accepted-on-many.service';
import { AcceptCheckRequest } from './accepted-check.requests';
import { acceptedCheckExample, AcceptedCheckResponse } from './accepted-check.responses';
import { PathCheckId } from './path-check-id';

export class AcceptCheckOnManyRequest extends AcceptCheckRequest {
  @Label({ optional: true, description: 'Only on assets with this label. Without it on all assets.' })
  label?: string;

  @ListOf(idsOf('a finding'), 0, MAX_CRITICAL_FINDINGS, {
    optional: true,
    description:
      'The open findings of the check that are at least critical, which it covers as well. It covers no other one.',
  })
  critical_findings?: number[];
}

export class AcceptedCheckOnManyQuery {
  @Label({ optional: true, description: 'The label of its assets. Without it the one for all assets.' })
  label?: string;
}

class AcceptedCheckOnManyResponse extends AcceptedCheckResponse {
  @ResponseField.string({ nullable: true, description: 'It applies to assets with this label; null for all.' })
  label!: string | null;

  @ResponseField.integers({ description: 'The findings that are at least critical which it covers.' })
  critical_findings!: number[];
}

class AcceptedCheckOnManyListResponse {
  @ResponseField.list(AcceptedCheckOnManyResponse)
  accepted_checks!: AcceptedCheckOnManyResponse[];
}

const example: AcceptedCheckOnManyResponse = Object.assign(
  { label: 'staging', critical_findings: [] },
  acceptedCheckExample,
);

const present = ({ accepted, isExpired }: AcceptedCheckOnManyView): AcceptedCheckOnManyResponse => ({
  check_id: accepted.checkId,
  label: accepted.label === '' ? null : accepted.label,
  reason: accepted.reason,
  until: accepted.until.toISOString(),
  covers: accepted.covers,
  critical_findings: accepted.criticalFindings,
  accepted_by: accepted.acceptedBy,
  accepted_at: accepted.acceptedAt.toISOString(),
  expired: isExpired,
});

@Controller()
export class AcceptedChecksOnManyController {
  constructor(private readonly accepted: AcceptedChecksOnManyService) {}

  @Operation('GET /v1/organizations/{organization_id}/accepted-checks/', {
    id: 'listChecksAcceptedOnMany',
    tag: 'Assets',
    summary: 'List the checks that are accepted on many assets',
    description: 'Also those that have expired. Those of single assets are in their own lists.',
    role: 'viewer',
    success: {
      description: 'The accepted checks, by check id and label.',
      body: AcceptedCheckOnManyListResponse,
      example: { accepted_checks: [example] },
    },
  })
  async list(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') id: number,
  ): Promise<AcceptedCheckOnManyListResponse> {
    return { accepted_checks: (await this.accepted.list(caller.scope, id)).map(present) };
  }

  @Operation('PUT /v1/organizations/{organization_id}/accepted-checks/{check_id}', {
    id: 'acceptCheckOnMany',
    tag: 'Assets',
    summary: 'Accept a check on all assets, or on those with a label, until a date',
    description:
      'As for one asset, for the findings of these assets. It covers no finding that is at least critical, also no later one, unless the request names it. The acceptance of a single asset comes first. An organization may have 200. Replaces an earlier acceptance for the same assets.',
    role: 'admin',
    body: { example: { label: 'staging', reason: example.reason, until: example.until } },
    success: { description: 'The check is accepted.', body: AcceptedCheckOnManyResponse, example },
    errors: [400, 401, 403, 404, 409, 422],
    audit: { operation: 'organization.accept_check', resource: 'organization', id: 'organization_id' },
  })
  async accept(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') id: number,
    @PathCheckId('check_id') checkId: string,
    @Body() { critical_findings: criticalFindings, label, ...acceptance }: AcceptCheckOnManyRequest,
  ): Promise<AcceptedCheckOnManyResponse> {
    const ofMany = { ...acceptance, criticalFindings, label: label && normalizeLabel(label) };
    return present(await this.accepted.accept(caller, id, checkId, ofMany));
  }

  @Operation('DELETE /v1/organizations/{organization_id}/accepted-checks/{check_id}', {
    id: 'deleteCheckAcceptedOnMany',
    tag: 'Assets',
    summary: 'End the acceptance of a check on many assets',
    description: 'Findings of the check fail jobs again at once.',
    role: 'admin',
    query: AcceptedCheckOnManyQuery,
    success: {
      description: 'The check is no longer accepted.',
      body: Acknowledgement,
      example: { code: 200, description: 'Accepted check deleted.', id: null, success: true },
    },
    audit: { operation: 'organization.delete_accepted_check', resource: 'organization', id: 'organization_id' },
  })
  async delete(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') id: number,
    @PathCheckId('check_id') checkId: string,
    @Query() { label }: AcceptedCheckOnManyQuery,
  ): Promise<Acknowledgement> {
    await this.accepted.remove(caller, id, checkId, label && normalizeLabel(label));
    return deleted('Accepted check', null);
  }
}
