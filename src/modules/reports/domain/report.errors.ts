import { conflict, notFound, PlacesTakenError, unprocessable } from '../../../kernel/domain-error';

/** The report cannot be generated, and another attempt would fail too. The message tells the reader why, and what to do. */
export class ReportGenerationError extends Error {}

export const reportNotFound = () => notFound('Report');

export const reportNotReady = () => conflict('The report is still being generated. Ask again in a few seconds.');

export const reportFailed = (reason: string) => conflict(`The report could not be generated: ${reason}`);

export const tooManyUnfinishedReports = (most: number) =>
  new PlacesTakenError(
    `${most} reports of this organization are unfinished, which is the limit. Order another when one of them is generated.`,
  );

export const earlierReportDeleted = (id: number) =>
  new ReportGenerationError(
    `Report ${id}, with which it is to be compared, was deleted. Order it without compare_with.`,
  );

export const notComparable = (id: number) =>
  unprocessable(
    `compare_with must be a generated report of the same subject. Report ${id} is none, or an earlier version generated it.`,
  );

/** Seconds after which a client may ask again for the report of an unfinished job. */
const POLL_SECONDS = 5;

export const jobNotOver = (status: string) =>
  conflict(`The job is ${status}. Its report is available when it has ended: ask again.`, POLL_SECONDS);

export const jobCanceled = () => conflict('The job was canceled before it tested anything. Launch another.');

export const jobIncomplete = (error: string | null) =>
  conflict(
    `The job ended in ERROR, so its result is incomplete: ${error ?? 'it could not be completed.'} Launch another, or order a report of this job with POST /v1/jobs/{uuid}/reports/.`,
  );

export const tooLargeForOneResponse = (reason: string) =>
  unprocessable(`${reason} Order it with POST /v1/jobs/{uuid}/reports/, which allows more.`);
