import { notFound } from '../../../kernel/domain-error';

export const reportNotFound = () => notFound('Report');
