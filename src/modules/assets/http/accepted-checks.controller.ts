import { Body, Controller } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, deleted } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PathId } from '../../../platform/http/path-id';
import { PathCheckId } from './path-check-id';
import { AcceptedChecksService } from '../accepted-checks.service';
import { AcceptCheckRequest } from './accepted-check.requests';
import {
  AcceptedCheckListResponse,
  AcceptedCheckResponse,
  acceptedCheckExample,
  presentAcceptedCheck,
} from './accepted-check.responses';

@Controller()
export class AcceptedChecksController {
  constructor(private readonly accepted: AcceptedChecksService) {}

  @Operation('GET /v1/assets/{asset_id}/accepted-checks/', {
    id: 'listAcceptedChecks',
    tag: 'Assets',
    summary: 'List the accepted checks of an asset',
    description: 'Also those that have expired. There is at most one for each built-in check.',
    role: 'viewer',
    success: {
      description: 'The accepted checks, by check id.',
      body: AcceptedCheckListResponse,
      example: { accepted_checks: [acceptedCheckExample] },
    },
  })
  async list(@CurrentCaller() caller: Caller, @PathId('asset_id') assetId: number): Promise<AcceptedCheckListResponse> {
    return { accepted_checks: (await this.accepted.list(caller.scope, assetId)).map(presentAcceptedCheck) };
  }

  @Operation('PUT /v1/assets/{asset_id}/accepted-checks/{check_id}', {
    id: 'acceptCheck',
    tag: 'Assets',
    summary: 'Accept a check on an asset until a date',
    description:
      'Jobs still run the check and record its findings, but these do not fail jobs. With `covers: incompleteness` its findings fail jobs as before, and it does not fail a job that could not complete it, unless it has an open finding on the origin. Applies to the host of a domain (not to its subdomains), to an address, to the addresses of a block, or to the pages of a URL at and below its path. Replaces an earlier acceptance.',
    role: 'admin',
    body: { example: { reason: acceptedCheckExample.reason, until: acceptedCheckExample.until } },
    success: {
      description: 'The check is accepted.',
      body: AcceptedCheckResponse,
      example: acceptedCheckExample,
    },
    errors: [400, 401, 403, 404, 409, 422],
    audit: { operation: 'asset.accept_check', resource: 'asset', id: 'asset_id' },
  })
  async accept(
    @CurrentCaller() caller: Caller,
    @PathId('asset_id') assetId: number,
    @PathCheckId('check_id') checkId: string,
    @Body() acceptance: AcceptCheckRequest,
  ): Promise<AcceptedCheckResponse> {
    return presentAcceptedCheck(await this.accepted.accept(caller, assetId, checkId, acceptance));
  }

  @Operation('DELETE /v1/assets/{asset_id}/accepted-checks/{check_id}', {
    id: 'deleteAcceptedCheck',
    tag: 'Assets',
    summary: 'End the acceptance of a check on an asset',
    description: 'Findings of the check fail jobs again at once.',
    role: 'admin',
    success: {
      description: 'The check is no longer accepted.',
      body: Acknowledgement,
      example: { code: 200, description: 'Accepted check deleted.', id: null, success: true },
    },
    audit: { operation: 'asset.delete_accepted_check', resource: 'asset', id: 'asset_id' },
  })
  async delete(
    @CurrentCaller() caller: Caller,
    @PathId('asset_id') assetId: number,
    @PathCheckId('check_id') checkId: string,
  ): Promise<Acknowledgement> {
    await this.accepted.remove(caller, assetId, checkId);
    return deleted('Accepted check', null);
  }
}
