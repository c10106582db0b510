import { conflict, notFound } from '../../../kernel/domain-error';

export const reportNotFound = () => notFound('Report');

export const reportNotReady = () => conflict('The report is still being generated. Ask again in a few seconds.');

export const reportFailed = (reason: string) => conflict(`The report could not be generated: ${reason}`);

export const tooManyUnfinished = (most: number) =>
  conflict(`${most} reports of this organization are still being generated. Order more when they are done.`);
