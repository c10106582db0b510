import { Injectable } from '@nestjs/common';
import { WorkKind } from '../../../platform/work/work-handler';
import { ACTIVE_JOB_KIND } from '../domain/job-kind';
import { JobRun } from './job-run';

/** Active jobs take hours, so they have slots of their own. */
@Injectable()
@WorkKind(ACTIVE_JOB_KIND)
export class ActiveJobRun extends JobRun {
  readonly maxConcurrent = 3;
}
