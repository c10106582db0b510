/** Of checks that a job could not run before the end of its window. */
export const WINDOW_CLOSED = 'the window closed before it; the next one goes on';

/** Jobs that people and pipelines launch. */
export const JOB_KIND = 'job';

/** Jobs of machine events: they use slots of their own, and do not count as unfinished jobs of the organization. */
export const EVENT_JOB_KIND = 'job.event';

export type JobKind = typeof JOB_KIND | typeof EVENT_JOB_KIND;
