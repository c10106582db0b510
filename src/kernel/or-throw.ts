import type { DomainError } from './domain-error';

/** What was looked for, or the refusal that says what its absence means. */
export function orThrow<T>(found: T | undefined, refusal: () => DomainError): T {
  if (found === undefined) throw refusal();
  return found;
}
