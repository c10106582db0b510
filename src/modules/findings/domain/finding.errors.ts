import { notFound } from '../../../kernel/domain-error';

export const findingNotFound = () => notFound('Finding');
