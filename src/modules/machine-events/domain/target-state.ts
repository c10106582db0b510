import { Transitions } from '../../../kernel/transitions';

/** `not_testable` for a reason that people can remove; it is tried again later. */
export const TARGET_STATES = ['waiting', 'running', 'done', 'not_testable'] as const;

export type TargetState = (typeof TARGET_STATES)[number];

const MOVES: Readonly<Record<TargetState, readonly TargetState[]>> = {
  waiting: ['running', 'not_testable'],
  // Back to waiting where it was stopped before its end.
  running: ['done', 'waiting', 'not_testable'],
  done: ['running', 'waiting', 'not_testable'],
  not_testable: ['running', 'waiting', 'not_testable'],
};

export const targetTransitions = new Transitions<TargetState>('target', MOVES);
