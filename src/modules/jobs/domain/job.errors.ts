import { notFound, unprocessable } from '../../../kernel/domain-error';

export const jobNotFound = () => notFound('Job');

export const notLaunchable = (reason: string) => unprocessable(`The job cannot be launched. ${reason}`);
