import type { Answer } from './client';

export const repeat = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

/** The statuses in ascending order. */
export const sortedStatuses = (answers: Answer[]): number[] =>
  answers.map(({ status }) => status).sort((a, b) => a - b);
