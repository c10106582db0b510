import type { WaitingWork } from '../../../platform/work/unfinished-work.repository';
import type { JobKind } from './job-kind';

/** Why a job does not run yet. */
export interface JobWaiting {
  /** Among the jobs of its kind and organization that wait for a worker, from 1. */
  readonly position: number;
  readonly reason: string;
  readonly since: Date;
  /** When it goes on, where that is known. */
  readonly until: Date | null;
}

const KINDS: Readonly<Record<JobKind, string>> = {
  job: 'job',
  'job.active': 'active job',
  'job.event': 'event job',
  'job.event.active': 'active event job',
};

export const waitingOf = (work: WaitingWork, kind: JobKind, created: Date): JobWaiting => ({
  position: work.position,
  reason: reasonOf(work, KINDS[kind]),
  since: work.isDue ? work.runAt : created,
  until: work.isDue ? null : work.runAt,
});

function reasonOf(work: WaitingWork, kind: string): string {
  const { isHeld, workersGone, isDue, ownRunning, othersRunning, position } = work;
  const ofOrganization = (count: number, verb: string): string =>
    `waiting for a slot: ${count} ${kind}${count === 1 ? '' : 's'} of the organization ${verb}${count === 1 ? 's' : ''}`;
  if (isHeld) return 'the organization is suspended';
  if (workersGone !== null)
    return workersGone.since === null
      ? 'no worker has run yet'
      : `no worker has been running since ${workersGone.since.toISOString()}`;
  if (!isDue) return 'an attempt has failed, and the next one is planned';
  if (ownRunning > 0) return ofOrganization(ownRunning, 'run');
  if (position > 1) return `${ofOrganization(position - 1, 'wait')} before it`;
  if (othersRunning > 0) return 'waiting for a slot: the workers run those of other organizations';
  return 'a worker begins it within seconds';
}
