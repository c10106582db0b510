import { ApiProperty } from '@nestjs/swagger';
import { TEST_DEPTHS } from '../../../kernel/test-depth';
import { presented, ResponseField } from '../../../platform/api/response-field';
import { WorkTimesResponse } from '../../../platform/api/work-times.response';
import { AcceptedCheckOfFindingResponse, presentAcceptedCheckOfFinding } from '../../findings';
import type { ActiveView } from '../active-tests.service';
import type { Job } from '../data/job.entity';
import { JOB_STATUSES, type JobStatus } from '../domain/job-status';
import type { JobView, SuccessOfJob } from '../jobs.service';
import type { Launchable, LaunchRefusal } from '../../retests';
import { ActiveTestsResponse, presentActive } from './active-test.responses';
import { IncompleteCheckResponse, presentIncomplete } from './incomplete-check.responses';
import {
  FailingFindingResponse,
  JobContradictionResponse,
  JobFindingResponse,
  presentContradiction,
  presentFailing,
} from './job-finding.responses';
import type { JobRequest } from './job.requests';
import { LaneResponse, presentLane } from './lane.responses';

export class JobCheckResponse {
  @ResponseField.string()
  url!: string;

  @ResponseField.integer({ nullable: true })
  beacon_id!: number | null;

  @ResponseField.string({ nullable: true })
  event_slug!: string | null;

  @ResponseField.boolean()
  valid!: boolean;

  @ApiProperty({ type: 'string', required: false, description: 'Why the job cannot be launched, and what to do next.' })
  reason?: string;
}

export class JobLaunchResponse {
  @ResponseField.string()
  url!: string;

  @ResponseField.string()
  uuid!: string;
}

export class JobResponse extends WorkTimesResponse {
  @ResponseField.string({
    nullable: true,
    description: 'Who runs the host, where that limits the job to passive checks. Null where nothing limits it.',
  })
  hosted_by!: string | null;

  @ResponseField.string({ nullable: true, description: 'The name or network of the company that runs the host.' })
  hosted_target!: string | null;

  @ResponseField.string()
  uuid!: string;

  @ResponseField.string()
  url!: string;

  @ResponseField.integer({ nullable: true, description: 'The beacon through which it tests; null for none.' })
  beacon_id!: number | null;

  @ResponseField.strings({
    nullable: true,
    description: 'The checks and tags of the launch; null for all built-in checks.',
  })
  checks!: string[] | null;

  @ResponseField.string({ enum: TEST_DEPTHS })
  depth!: string;

  @ResponseField.string({ enum: JOB_STATUSES })
  status!: JobStatus;
}

export class JobListResponse {
  @ResponseField.list(JobResponse)
  jobs!: JobResponse[];
}

export class JobWaitingResponse {
  @ResponseField.string({ description: 'Such as `waiting for a slot: 2 active jobs of the organization run`.' })
  reason!: string;

  @ResponseField.instant()
  since!: string;

  @ResponseField.instant({ nullable: true, description: 'When it goes on, where that is known.' })
  until!: string | null;
}

export class JobDetailsResponse extends JobResponse {
  @ResponseField.list(LaneResponse, {
    description: 'How each run of a job with accounts has ended; empty before its end, and without accounts.',
  })
  lanes!: LaneResponse[];

  @ResponseField.integer({
    nullable: true,
    description:
      'The position among the jobs of the organization that wait for a worker, 1 for the next; otherwise null.',
  })
  position!: number | null;

  @ResponseField.one(JobWaitingResponse, { nullable: true, description: 'Why the job does not run yet.' })
  waiting!: JobWaitingResponse | null;

  @ResponseField.string({ nullable: true, description: 'Why the job ended in ERROR.' })
  error!: string | null;

  @ResponseField.list(JobFindingResponse, { description: 'Those of a running job so far.' })
  findings!: JobFindingResponse[];

  @ResponseField.list(IncompleteCheckResponse, {
    description:
      'The checks that a finished job could not complete. They fail it, unless an admin accepts that, or `incomplete=allow` covers them.',
  })
  incomplete_checks!: IncompleteCheckResponse[];

  @ResponseField.list(IncompleteCheckResponse, {
    description: 'Refused checks: they count as completed, but do not show that the weakness is absent.',
  })
  refused_checks!: IncompleteCheckResponse[];

  @ResponseField.list(JobContradictionResponse, {
    description: 'Findings that it saw before they were resolved. It starts retests of at most 20 of them.',
  })
  contradictions!: JobContradictionResponse[];

  @ResponseField.one(ActiveTestsResponse, { nullable: true, description: 'What an active job has found and tested.' })
  active!: ActiveTestsResponse | null;
}

export class JobViewResponse {
  @ResponseField.one(JobDetailsResponse)
  job!: JobDetailsResponse;
}

export class JobStatusResponse {
  @ResponseField.string({ enum: JOB_STATUSES })
  status!: JobStatus;
}

/** The most that a response lists. */
const MAX_FAILING = 50;

export class JobSuccessResponse {
  @ResponseField.boolean({ nullable: true, description: 'Null while the job is unfinished: ask again.' })
  success!: boolean | null;

  @ResponseField.string()
  description!: string;

  @ResponseField.list(AcceptedCheckOfFindingResponse, {
    description: 'The accepted checks without which further findings or incomplete checks would count.',
  })
  accepted_checks!: AcceptedCheckOfFindingResponse[];

  @ResponseField.list(IncompleteCheckResponse, { description: 'The checks that the job could not complete.' })
  incomplete_checks!: IncompleteCheckResponse[];

  @ResponseField.list(IncompleteCheckResponse, {
    description: 'Refused checks: they count as completed, but do not show that the weakness is absent.',
  })
  refused_checks!: IncompleteCheckResponse[];

  @ResponseField.integer({ description: 'How many findings fail the job.' })
  failing!: number;

  @ResponseField.list(FailingFindingResponse, { description: `The first ${MAX_FAILING} of them.` })
  failing_findings!: FailingFindingResponse[];
}

export const presentCheck = (
  { url, beacon_id = null, event_slug = null }: JobRequest,
  launch: Launchable | LaunchRefusal,
): JobCheckResponse => ({
  url,
  beacon_id,
  event_slug,
  valid: launch.launchable,
  ...(!launch.launchable && { reason: launch.reason }),
});

export const presentJob = (job: Job) => presented(JobResponse, job, {});

export const presentView = (
  { job, waiting, findings, incomplete, refused, contradictions, lanes }: JobView,
  active: ActiveView | null,
): JobViewResponse => ({
  job: {
    ...presentJob(job),
    position: waiting?.position ?? null,
    waiting: waiting && {
      reason: waiting.reason,
      since: waiting.since.toISOString(),
      until: waiting.until?.toISOString() ?? null,
    },
    error: job.error,
    findings: findings.map(({ title, severity, accepted }) => ({ title, severity, accepted: accepted !== null })),
    incomplete_checks: incomplete.map(presentIncomplete),
    refused_checks: refused.map(presentIncomplete),
    contradictions: contradictions.map(presentContradiction),
    active: presentActive(active),
    lanes: lanes.map(presentLane),
  },
});

export const presentStatus = ({ status }: Job): JobStatusResponse => ({ status });

export const presentSuccess = (
  { success, description, accepted, incomplete, refused, failing, further, untested, organizationId }: SuccessOfJob,
  portal: string,
): JobSuccessResponse => ({
  success,
  description,
  accepted_checks: accepted.map(presentAcceptedCheckOfFinding),
  incomplete_checks: incomplete.map(presentIncomplete),
  refused_checks: refused.map(presentIncomplete),
  failing: failing.length + further + untested,
  failing_findings: failing.slice(0, MAX_FAILING).map((one) => presentFailing(one, `${portal}/o/${organizationId}`)),
});
