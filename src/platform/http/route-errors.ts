import { DomainError } from '../../kernel/domain-error';

export const routeNotFound = (): DomainError => new DomainError('not_found', 'This path does not exist.');

export const methodNotAllowed = (method: string, allowed: string): DomainError =>
  new DomainError('method_not_allowed', `${method} is not allowed for this path. Allowed methods: ${allowed}.`);
