import { DomainError } from '../../kernel/domain-error';

export const routeNotFound = (): DomainError => new DomainError('not_found', 'There is nothing at this path.');

export const methodNotAllowed = (method: string, allowed: string): DomainError =>
  new DomainError('method_not_allowed', `${method} is not possible here: ${allowed}.`);
