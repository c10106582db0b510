import { Injectable } from '@nestjs/common';
import { attestGate, attestTests, type Envelope, type StatedByCaller, type TestedJob } from '../../engine';
import { Clock } from '../../kernel/clock';
import type { Caller } from '../../platform/api/caller';
import { SigningKeysService } from '../evidence';
import { gateNotPassed, notFinished, nothingTested } from './domain/job.errors';
import { DEFAULT_THRESHOLD } from './domain/job-success';
import { JobOutcomes, type SuccessQuery } from './job-outcomes';
import { JobsService } from './jobs.service';

export interface JobAttestationOrder {
  /** What the gate is asked; undefined for a statement about the tests. */
  readonly gate: SuccessQuery | undefined;
  readonly stated: StatedByCaller | null;
}

/** Results of jobs as statements that other tools verify. */
@Injectable()
export class JobAttestations {
  constructor(
    private readonly jobs: JobsService,
    private readonly outcomes: JobOutcomes,
    private readonly keys: SigningKeysService,
    private readonly clock: Clock,
  ) {}

  async attest(caller: Caller, uuid: string, { gate, stated }: JobAttestationOrder): Promise<Envelope> {
    const job = await this.jobs.get(caller.scope, uuid);
    if (job.status !== 'FINISHED') throw notFinished(job.status);
    const tested = { ...job, coverage: await this.outcomes.coverageOf(job) };
    if (tested.coverage.every(({ outcome }) => outcome === 'not_applicable')) throw nothingTested();
    if (gate === undefined) return attestTests(tested, stated, await this.keys.current());
    return this.attestGate(caller, tested, gate, stated);
  }

  private async attestGate(
    caller: Caller,
    job: TestedJob,
    query: SuccessQuery,
    stated: StatedByCaller | null,
  ): Promise<Envelope> {
    const { success, description, accepted: used } = await this.jobs.success(caller, job.uuid, query);
    if (success !== true) throw gateNotPassed(description);
    const { threshold = DEFAULT_THRESHOLD, allowsIncomplete = false, newSince = null } = query;
    const accepted = used.map(({ checkId: check, assetValue: asset, acceptedFor: label, until }) => ({
      check,
      asset,
      label,
      until,
    }));
    const passed = { severity: threshold, allowsIncomplete, newSince, accepted, now: this.clock.now() };
    return attestGate(job, passed, stated, await this.keys.current());
  }
}
