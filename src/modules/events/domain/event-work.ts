/** What a machine event starts by itself on its scope. Work of people is never stopped with it. */
export const EVENT_WORK_KINDS = ['job.event', 'job.event.active', 'asset.observe'] as const;
