import type { TestDepth } from '../../../kernel/test-depth';

export { NO_TIME } from '../../../engine/interruption';

/** The reason of checks that a job could not run before the end of its window. */
export const WINDOW_CLOSED = 'the window closed before it; the next one goes on';

/** Jobs that people and pipelines launch. */
export const JOB_KIND = 'job';

/** Jobs of machine events: they use slots of their own, and do not count as unfinished jobs of the organization. */
export const EVENT_JOB_KIND = 'job.event';

/** Jobs with depth active, which take up to two hours. */
export const ACTIVE_JOB_KIND = 'job.active';

/** Active jobs of machine events. */
export const ACTIVE_EVENT_JOB_KIND = 'job.event.active';

export type JobKind = typeof JOB_KIND | typeof EVENT_JOB_KIND | typeof ACTIVE_JOB_KIND | typeof ACTIVE_EVENT_JOB_KIND;

export const kindOfJob = (depth: TestDepth): JobKind => (depth === 'active' ? ACTIVE_JOB_KIND : JOB_KIND);

export const kindOfEventJob = (depth: TestDepth): JobKind =>
  depth === 'active' ? ACTIVE_EVENT_JOB_KIND : EVENT_JOB_KIND;
