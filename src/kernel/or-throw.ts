import type { DomainError } from './domain-error';

export function orThrow<T>(found: T | undefined, refusal: () => DomainError): T {
  if (found === undefined) throw refusal();
  return found;
}
