import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, done } from '../../../platform/http/acknowledgement';
import { retryWhileUnavailable } from '../../../platform/database/retry-while-unavailable';
import { Config } from '../../../platform/config/load-config';
import { portalUrl } from '../../../platform/config/portal-address';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PagedBody } from '../../../platform/http/paged-body';
import { RetryDeadline } from '../../../platform/http/retry-deadline';
import { PageQuery } from '../../../platform/http/page-query';
import { requireSuccess } from '../domain/job-success';
import { JobsService } from '../jobs.service';
import { JobRequest, JobSuccessQuery, launchParametersOf } from './job.requests';
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

const requestExample = { url: 'https://www.example.com/', beacon_id: null, event_slug: null };

const EXAMPLE_UUID = '3f8e0f0a-6d0c-4c55-9a53-0d8c0a4d3b11';

const example = {
  uuid: EXAMPLE_UUID,
  url: 'https://www.example.com/',
  beacon_id: null,
  checks: null,
  status: 'FINISHED',
  created: '2026-01-31T12:00:00.000Z',
  started: '2026-01-31T12:00:01.000Z',
  finished: '2026-01-31T12:00:24.000Z',
};

@Controller()
export class JobsController {
  constructor(
    private readonly jobs: JobsService,
    private readonly config: Config,
  ) {}

  @Operation('POST /v1/jobs/check', {
    number: 24,
    id: 'checkJob',
    tag: 'CI/CD jobs',
    summary: 'Check whether a job can be launched for a URL',
    description:
      'An asset must cover the host, and its domain must be verified. With `beacon_id`, an asset with this beacon must cover the host, a private address needs no verified domain, and the beacon must be connected. If the job cannot be launched, `reason` says why. An unknown check is a 400.',
    role: 'viewer',
    scope: 'ci',
    body: { example: requestExample },
    success: {
      description: 'Whether it can be launched.',
      body: JobCheckResponse,
      example: { ...requestExample, valid: true },
    },
    errors: [400, 401],
  })
  async check(@CurrentCaller() caller: Caller, @Body() body: JobRequest): Promise<JobCheckResponse> {
    return presentCheck(body, await this.jobs.check(caller.scope, launchParametersOf(body)));
  }

  @Operation('POST /v1/jobs/launch', {
    number: 25,
    id: 'launchJob',
    tag: 'CI/CD jobs',
    summary: 'Launch a job for a URL',
    description:
      "Runs all applicable checks of the URL's origin, path, TLS port and DNS name, for at most 5 minutes; with `checks` only those, which may be loaded templates. An organization has at most 50 unfinished jobs; beyond that the response is 422.",
    role: 'member',
    scope: 'ci',
    limit: 'launch',
    body: { example: requestExample },
    success: {
      status: 201,
      description: 'The job was launched.',
      body: JobLaunchResponse,
      example: { url: 'https://www.example.com/', uuid: EXAMPLE_UUID },
      location: (body: JobLaunchResponse) => `/v1/jobs/${body.uuid}`,
    },
    errors: [400, 401],
    otherErrors: {
      403: 'This needs the role member or above in organization 1.',
      409: 'A request with this Idempotency-Key is still in progress. Try again in a few seconds.',
      422: 'The job cannot be launched. No asset covers www.example.com: add its domain and verify it.',
    },
    audit: { operation: 'job.launch', resource: 'job' },
  })
  async launch(@CurrentCaller() caller: Caller, @Body() body: JobRequest): Promise<JobLaunchResponse> {
    return { url: body.url, uuid: await this.jobs.launch(caller, launchParametersOf(body)) };
  }

  @Operation('GET /v1/jobs', {
    id: 'listJobs',
    tag: 'CI/CD jobs',
    summary: 'List the jobs that the caller may access',
    role: 'viewer',
    scope: 'ci',
    query: PageQuery,
    success: {
      description: 'The jobs, newest first.',
      body: JobListResponse,
      example: { jobs: [example] },
      paged: true,
    },
    errors: [401, 403],
  })
  async list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<PagedBody<JobListResponse>> {
    const slice = await this.jobs.list(caller.scope, query.slice);
    return new PagedBody({ jobs: slice.items.map(presentJob) }, query.slice, slice);
  }

  @Operation('GET /v1/jobs/{uuid}', {
    id: 'getJob',
    tag: 'CI/CD jobs',
    summary: 'Read a job with its findings',
    role: 'viewer',
    scope: 'ci',
    success: {
      description: 'The job.',
      body: JobViewResponse,
      example: {
        job: {
          ...example,
          position: null,
          error: null,
          findings: [{ title: 'No HSTS', severity: 'low', accepted: false }],
          incomplete_checks: [],
        },
      },
    },
  })
  async get(@CurrentCaller() caller: Caller, @PathUuid('uuid') id: string): Promise<JobViewResponse> {
    return presentView(await this.jobs.view(caller.scope, id));
  }

  @Operation('GET /v1/jobs/{uuid}/status', {
    id: 'getJobStatus',
    tag: 'CI/CD jobs',
    summary: 'Read the status of a job',
    role: 'viewer',
    scope: 'ci',
    limit: 'none',
    retriesWhileUnavailable: true,
    success: {
      description: 'The status.',
      body: JobStatusResponse,
      example: { status: 'PENDING' },
    },
  })
  async status(
    @CurrentCaller() caller: Caller,
    @PathUuid('uuid') id: string,
    @RetryDeadline() deadline: number,
  ): Promise<JobStatusResponse> {
    return presentStatus(await retryWhileUnavailable(() => this.jobs.get(caller.scope, id), deadline));
  }

  @Operation('GET /v1/jobs/{uuid}/success', {
    id: 'getJobSuccess',
    tag: 'CI/CD jobs',
    summary: 'Read whether a pipeline may continue',
    description:
      'False when the job found something of at least `severity` whose finding is not set aside, when an earlier finding on the same origin is open and the job did not confirm its fix, when a check could not be completed, and when the job ended in ERROR or CANCELED. Findings of a check that an admin accepted on their asset do not count; `accepted_checks` names each check that had such findings. With `fail` that is a 422.',
    role: 'viewer',
    scope: 'ci',
    limit: 'none',
    retriesWhileUnavailable: true,
    query: JobSuccessQuery,
    success: {
      description: 'Whether the job succeeded; null while it is unfinished.',
      body: JobSuccessResponse,
      example: {
        success: false,
        description: 'Findings of at least medium severity: 1 found by this job ("A Git repository is public").',
        accepted_checks: [],
        incomplete_checks: [],
        failing: 1,
        failing_findings: [
          {
            id: 4,
            title: 'A Git repository is public',
            severity: 'medium',
            place: 'https://www.example.com/.git/HEAD',
            check: 'exposed-git',
            url: 'https://assay.example.com/o/1/findings/4',
          },
        ],
      },
    },
    errors: [400, 401, 403, 404, 422],
  })
  async success(
    @CurrentCaller() caller: Caller,
    @PathUuid('uuid') id: string,
    @Query() { severity: threshold, fail = false, incomplete }: JobSuccessQuery,
    @RetryDeadline() deadline: number,
  ): Promise<JobSuccessResponse> {
    const query = { threshold, allowsIncomplete: incomplete === 'allow' };
    const outcome = await retryWhileUnavailable(() => this.jobs.success(caller, id, query), deadline);
    return presentSuccess(requireSuccess(outcome, fail), portalUrl(this.config));
  }

  @Operation('POST /v1/jobs/{uuid}/cancel', {
    id: 'cancelJob',
    tag: 'CI/CD jobs',
    summary: 'Cancel a job',
    description: 'A running job stops within two seconds. Canceling it again changes nothing.',
    role: 'member',
    scope: 'ci',
    success: {
      description: 'The job is canceled.',
      body: Acknowledgement,
      example: { code: 200, description: 'Job canceled.', id: null, success: true },
    },
    errors: [401, 403, 404, 409],
    audit: { operation: 'job.cancel', resource: 'job', id: 'uuid' },
  })
  async cancel(@CurrentCaller() caller: Caller, @PathUuid('uuid') id: string): Promise<Acknowledgement> {
    await this.jobs.cancel(caller, id);
    return done('Job canceled.');
  }
}
