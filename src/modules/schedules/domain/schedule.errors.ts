import { invalid, notFound, unprocessable } from '../../../kernel/domain-error';

export const scheduleNotFound = () => notFound('Schedule');

export const tooManySchedules = (limit: number) =>
  unprocessable(
    `The organization has ${limit} schedules, which is the limit. Delete one, or let one cover more assets.`,
  );

export const wrongField = (field: string, problem: string) => invalid(`${field} ${problem}`);
