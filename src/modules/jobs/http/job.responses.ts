import { ApiProperty } from '@nestjs/swagger';
import { SEVERITIES } from '../../../kernel/severity';
import { Shown } from '../../../platform/api/shown';
import type { Job } from '../data/job.entity';
import { JOB_STATUSES, type JobStatus } from '../domain/job-status';
import type { JobSuccess } from '../domain/job-success';
import type { JobView } from '../jobs.service';
import type { Launchable, LaunchRefusal } from '../../retests';
import type { JobRequest } from './job.requests';

export class JobCheckResponse {
  @Shown.string()
  url!: string;

  @Shown.integer({ nullable: true })
  beacon_id!: number | null;

  @Shown.string({ nullable: true })
  event_slug!: string | null;

  @Shown.boolean()
  valid!: boolean;

  @ApiProperty({ type: 'string', required: false, description: 'Why the job cannot be launched, and what to do next.' })
  reason?: string;
}

export class JobLaunchResponse {
  @Shown.string()
  url!: string;

  @Shown.string()
  uuid!: string;
}

export class JobResponse {
  @Shown.string()
  uuid!: string;

  @Shown.string()
  url!: string;

  @Shown.string({ enum: JOB_STATUSES })
  status!: JobStatus;

  @Shown.instant()
  created!: string;

  @Shown.instant({ nullable: true })
  started!: string | null;

  @Shown.instant({ nullable: true })
  finished!: string | null;
}

export class JobListResponse {
  @Shown.list(JobResponse)
  jobs!: JobResponse[];
}

export class JobFindingResponse {
  @Shown.string()
  title!: string;

  @Shown.string({ enum: SEVERITIES })
  severity!: string;
}

export class JobDetailsResponse extends JobResponse {
  @Shown.integer({
    nullable: true,
    description:
      'The position among the jobs of the organization that wait for a worker, 1 for the next; otherwise null.',
  })
  position!: number | null;

  @Shown.string({ nullable: true, description: 'Why the job ended in ERROR.' })
  error!: string | null;

  @Shown.list(JobFindingResponse)
  findings!: JobFindingResponse[];
}

export class JobViewResponse {
  @Shown.one(JobDetailsResponse)
  job!: JobDetailsResponse;
}

export class JobStatusResponse {
  @Shown.string({ enum: JOB_STATUSES })
  status!: JobStatus;
}

export class JobSuccessResponse {
  @Shown.boolean({ nullable: true, description: 'Null while the job is unfinished: ask again.' })
  success!: boolean | null;

  @Shown.string()
  description!: string;
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

const fieldsOf = ({ uuid, url, status, created, started, finished }: Job) => ({
  uuid,
  url,
  status,
  created: created.toISOString(),
  started: started?.toISOString() ?? null,
  finished: finished?.toISOString() ?? null,
});

export const presentJob = (job: Job): JobResponse => fieldsOf(job);

export const presentView = ({ job, position, findings }: JobView): JobViewResponse => ({
  job: {
    ...fieldsOf(job),
    position,
    error: job.error,
    findings: findings.map(({ title, severity }) => ({ title, severity })),
  },
});

export const presentStatus = ({ status }: Job): JobStatusResponse => ({ status });

export const presentSuccess = ({ success, description }: JobSuccess): JobSuccessResponse => ({ success, description });
