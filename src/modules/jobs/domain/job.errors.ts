import { conflict, DomainError, notFound, PlacesTakenError, unprocessable } from '../../../kernel/domain-error';

export const jobNotFound = () => notFound('Job');

export const tooManyUnfinishedJobs = (limit: number) =>
  new PlacesTakenError(
    `${limit} jobs of this organization are unfinished, which is the limit. Launch another when one of them ends, or cancel one.`,
  );

export const notLaunchable = (reason: string) => unprocessable(`The job cannot be launched. ${reason}`);

export const notActive = () =>
  new DomainError('not_found', 'Only jobs with depth active have insertion points and a list of requests.');

export const noRequestList = () =>
  new DomainError('not_found', 'The job has sent no requests yet, or ended more than 30 days ago.');

export const notFinished = (status: string) =>
  conflict(`The job is ${status}: only a FINISHED one has a result to sign.`);

export const nothingTested = () =>
  conflict('No test of the job applied to its URL, so there is no result to sign. Launch one with other checks.');

export const gateNotPassed = (description: string) =>
  conflict(`The gate has not passed, and a statement says only what has. ${description}`);
