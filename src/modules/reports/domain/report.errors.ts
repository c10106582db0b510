import { conflict, notFound, unprocessable } from '../../../kernel/domain-error';

/** The report cannot be generated, and another attempt would fail too. The message tells the reader why, and what to do. */
export class ReportGenerationError extends Error {}

export const reportNotFound = () => notFound('Report');

export const reportNotReady = () => conflict('The report is still being generated. Ask again in a few seconds.');

export const reportFailed = (reason: string) => conflict(`The report could not be generated: ${reason}`);

export const tooManyUnfinishedReports = (most: number) =>
  unprocessable(
    `${most} reports of this organization are unfinished, which is the limit. Order another when one of them is generated.`,
  );
