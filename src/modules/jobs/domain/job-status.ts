import { Transitions } from '../../../kernel/transitions';

export const JOB_STATUSES = ['PENDING', 'IN_PROGRESS', 'FINISHED', 'ERROR', 'CANCELED'] as const;

export type JobStatus = (typeof JOB_STATUSES)[number];

const MOVES: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  PENDING: ['IN_PROGRESS', 'ERROR', 'CANCELED'],
  IN_PROGRESS: ['FINISHED', 'ERROR', 'CANCELED'],
  FINISHED: [],
  ERROR: [],
  CANCELED: [],
};

export const jobTransitions = new Transitions<JobStatus>('job', MOVES);

export const jobStatusVocabulary = JOB_STATUSES.map((name) => ({ name, transitions: MOVES[name] }));

export const isJobOver = (status: JobStatus): boolean => MOVES[status].length === 0;

/** Canceling again changes nothing, so that a pipeline may retry it; a job that has ended otherwise is a conflict. */
export function cancelJob(status: JobStatus): 'unchanged' | 'canceled' {
  if (status !== 'CANCELED') jobTransitions.requireAllowed(status, 'CANCELED');
  return status === 'CANCELED' ? 'unchanged' : 'canceled';
}
