import { Transitions } from '../../../kernel/transitions';

/** What a schedule starts. */
export const WHATS = ['job', 'observation', 'retest', 'resolved_retest', 'report'] as const;
export type What = (typeof WHATS)[number];

/** On what. */
export const TARGETS = ['asset', 'label', 'event', 'all'] as const;
export type TargetKind = (typeof TARGETS)[number];

export const SCHEDULE_STATUSES = ['active', 'paused'] as const;
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number];

export const RUN_STATUSES = ['waiting', 'running', 'finished', 'partial', 'failed', 'skipped'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

const RUN_TRANSITIONS: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  waiting: ['running', 'failed'],
  running: ['finished', 'partial', 'failed'],
  finished: [],
  partial: [],
  failed: [],
  skipped: [],
};

export const runTransitions = new Transitions<RunStatus>('run', RUN_TRANSITIONS);

export const isRunOver = (status: RunStatus): boolean => runTransitions.from(status).length === 0;

export type PartStatus = 'waiting' | 'started' | 'over' | 'refused';

/** Why parts of a run did not start, or did not end well. */
export interface Obstacle {
  readonly reason: string;
  readonly parts: number;
}

/** How many parts of a run ended in which way. */
export interface RunEnd {
  readonly parts: number;
  readonly results: Readonly<Record<string, number>>;
  readonly obstacles: readonly Obstacle[];
}

/** How a part ended. A retest that ended has the result of its check. */
export const PART_RESULTS = [
  'finished',
  'fixed',
  'still_vulnerable',
  'inconclusive',
  'blocked',
  'error',
  'canceled',
  'deleted',
  'refused',
] as const;
export type PartResult = (typeof PART_RESULTS)[number];

const FAILED: readonly string[] = ['error', 'canceled', 'deleted', 'refused'] satisfies PartResult[];

/** A run without parts has done all that there was. */
export function statusAfter({ parts, results }: RunEnd): Extract<RunStatus, 'finished' | 'partial' | 'failed'> {
  const failed = FAILED.reduce((sum, result) => sum + (results[result] ?? 0), 0);
  if (failed === 0) return 'finished';
  return failed < parts ? 'partial' : 'failed';
}
