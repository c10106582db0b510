import { conflict, notFound } from '../../../kernel/domain-error';

export const domainNotFound = () => notFound('Domain');

export const domainExists = () => conflict('The organization already has this domain.');
