import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, done } from '../../../platform/http/acknowledgement';
import { retryWhileUnavailable } from '../../../platform/database/retry-while-unavailable';
import { Config } from '../../../platform/config/load-config';
import { portalUrl } from '../../../platform/config/portal-address';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import type { Attachment } from '../../../platform/http/attachment';
import { PagedBody } from '../../../platform/http/paged-body';
import { RetryDeadline } from '../../../platform/http/retry-deadline';
import { PageQuery } from '../../../platform/http/page-query';
import { requireSuccess } from '../domain/job-success';
import { ActiveTestsService } from '../active-tests.service';
import { envelopeAttachment } from '../../evidence';
import { JobAttestations } from '../job-attestations.service';
import { JobsService } from '../jobs.service';
import {
  attestationOrderOf,
  JobEvidenceQuery,
  JobRequest,
  JobSuccessQuery,
  launchOf,
  LaunchJobRequest,
  launchParametersOf,
  successQueryOf,
} from './job.requests';
import {
  JobCheckResponse,
  JobLaunchResponse,
  JobListResponse,
  JobStatusResponse,
  JobSuccessResponse,
  JobViewResponse,
  presentCheck,
  presentJob,
  presentStatus,
  presentSuccess,
  presentView,
} from './job.responses';
import { PathUuid } from '../../../platform/http/path-uuid';
import * as operations from './jobs.operations';

@Controller()
export class JobsController {
  constructor(
    private readonly jobs: JobsService,
    private readonly active: ActiveTestsService,
    private readonly attestations: JobAttestations,
    private readonly config: Config,
  ) {}

  @operations.checkJob
  async check(@CurrentCaller() caller: Caller, @Body() body: JobRequest): Promise<JobCheckResponse> {
    return presentCheck(body, await this.jobs.check(caller.scope, launchParametersOf(body)));
  }

  @operations.launchJob
  async launch(@CurrentCaller() caller: Caller, @Body() body: LaunchJobRequest): Promise<JobLaunchResponse> {
    return { url: body.url, uuid: await this.jobs.launch(caller, launchOf(body)) };
  }

  @operations.listJobs
  async list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<PagedBody<JobListResponse>> {
    const slice = await this.jobs.list(caller.scope, query.slice);
    return new PagedBody({ jobs: slice.items.map(presentJob) }, query.slice, slice);
  }

  @operations.getJob
  async get(@CurrentCaller() caller: Caller, @PathUuid('uuid') id: string): Promise<JobViewResponse> {
    const view = await this.jobs.view(caller.scope, id);
    return presentView(view, await this.active.viewOfVisible(view.job));
  }

  @operations.getJobStatus
  async status(
    @CurrentCaller() caller: Caller,
    @PathUuid('uuid') id: string,
    @RetryDeadline() deadline: number,
  ): Promise<JobStatusResponse> {
    return presentStatus(await retryWhileUnavailable(() => this.jobs.get(caller.scope, id), deadline));
  }

  @operations.getJobSuccess
  async success(
    @CurrentCaller() caller: Caller,
    @PathUuid('uuid') id: string,
    @Query() query: JobSuccessQuery,
    @RetryDeadline() deadline: number,
  ): Promise<JobSuccessResponse> {
    const outcome = await retryWhileUnavailable(() => this.jobs.success(caller, id, successQueryOf(query)), deadline);
    return presentSuccess(requireSuccess(outcome, query.fail === true), portalUrl(this.config));
  }

  @operations.getJobEvidence
  async evidence(
    @CurrentCaller() caller: Caller,
    @PathUuid('uuid') id: string,
    @Query() query: JobEvidenceQuery,
  ): Promise<Attachment> {
    const order = attestationOrderOf(query);
    return envelopeAttachment(
      await this.attestations.attest(caller, id, order),
      `job-${id}.${query.statement}.dsse.json`,
    );
  }

  @operations.cancelJob
  async cancel(@CurrentCaller() caller: Caller, @PathUuid('uuid') id: string): Promise<Acknowledgement> {
    await this.jobs.cancel(caller, id);
    return done('Job canceled.');
  }
}
