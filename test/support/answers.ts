import type { Answer } from './client';

export const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

/** In order of their numbers, whoever came first. */
export const statuses = (answers: Answer[]): number[] => answers.map(({ status }) => status).sort((a, b) => a - b);
