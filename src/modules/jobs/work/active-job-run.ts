import { Injectable } from '@nestjs/common';
import type { Claim } from '../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { ACTIVE_JOB_KIND, ACTIVE_JOB_SLOTS } from '../domain/job-kind';
import { JobRun } from './job-run';

/** Active jobs take hours, so they have slots of their own. */
@Injectable()
@WorkKind(ACTIVE_JOB_KIND)
export class ActiveJobRun implements WorkHandler {
  readonly maxConcurrent = ACTIVE_JOB_SLOTS;

  constructor(private readonly runs: JobRun) {}

  perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    return this.runs.perform(claim, signal);
  }

  abandon(claim: Claim, error: string, limit?: string): Completion {
    return this.runs.abandon(claim, error, limit);
  }
}
