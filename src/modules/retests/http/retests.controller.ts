import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import type { Attachment } from '../../../platform/http/attachment';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { PathId } from '../../../platform/http/path-id';
import { PathSlug } from '../../../platform/http/path-slug';
import { RetestAttestations } from '../retest-attestations.service';
import { RetestsService } from '../retests.service';
import { attestationOrderOf, GiveVerdictRequest, RetestEvidenceQuery } from './retest.requests';
import {
  presentOrderedEvidence,
  presentRetest,
  presentRetestView,
  RetestEvidenceResponse,
  RetestResponse,
} from './retest.responses';
import * as operations from './retests.operations';

@Controller()
export class RetestsController {
  constructor(
    private readonly retests: RetestsService,
    private readonly attestations: RetestAttestations,
  ) {}

  @operations.startRetest
  async start(@CurrentCaller() caller: Caller, @PathId('finding_id') findingId: number): Promise<RetestResponse> {
    return presentRetestView(await this.retests.start(caller, { findingId }));
  }

  @operations.getRetest
  async get(@CurrentCaller() caller: Caller, @PathId('finding_id') findingId: number): Promise<RetestResponse> {
    return presentRetestView(await this.retests.view(caller.scope, { findingId }));
  }

  @operations.startEventRetest
  async startInEvent(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') eventSlug: string,
    @PathId('finding_id') findingId: number,
  ): Promise<RetestResponse> {
    return presentRetestView(await this.retests.start(caller, { findingId, eventSlug }));
  }

  @operations.getEventRetest
  async getInEvent(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') eventSlug: string,
    @PathId('finding_id') findingId: number,
  ): Promise<RetestResponse> {
    return presentRetestView(await this.retests.view(caller.scope, { findingId, eventSlug }));
  }

  @operations.giveRetestVerdict
  async giveVerdict(
    @CurrentCaller() caller: Caller,
    @PathId('finding_id') findingId: number,
    @Body() { result, comment = null }: GiveVerdictRequest,
  ): Promise<RetestResponse> {
    return presentRetest(await this.retests.giveVerdict(caller, findingId, { result, comment }));
  }

  @operations.cancelRetest
  async cancel(@CurrentCaller() caller: Caller, @PathId('finding_id') findingId: number): Promise<RetestResponse> {
    return presentRetest(await this.retests.cancel(caller, findingId));
  }

  @operations.getRetestEvidence
  async evidence(
    @CurrentCaller() caller: Caller,
    @PathId('finding_id') findingId: number,
    @Query() query: RetestEvidenceQuery,
  ): Promise<RetestEvidenceResponse | Attachment> {
    return presentOrderedEvidence(await this.attestations.evidence(caller.scope, findingId, attestationOrderOf(query)));
  }
}
