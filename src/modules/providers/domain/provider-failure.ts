import { DomainError } from '../../../kernel/domain-error';
import type { ShownClaims } from './provider-claims';
import { ProviderFailure } from './provider.errors';

/** The request has no answer. */
export class Unreachable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Unreachable';
  }
}

const MAX_REASON = 500;

export const issuerDiffers = (issuer: string): ProviderFailure =>
  new ProviderFailure(`The provider calls itself ${issuer}. Enter that issuer exactly, of one tenant only.`);

/** An error of a library in words that the owners of the organization can use. */
export function failureOf(error: unknown, claims: ShownClaims = {}): Error {
  if (error instanceof ProviderFailure || error instanceof DomainError || !(error instanceof Error))
    return error as Error;
  const causes = causesOf(error);
  const unreachable = causes.find((cause) => cause instanceof Unreachable);
  if (unreachable !== undefined) return new ProviderFailure(unreachable.message, 'unreachable', claims);
  const { error: code, error_description: description, status } = error as AnsweredError;
  if (typeof status === 'number' && status >= 500) return new ProviderFailure(error.message, 'unreachable', claims);
  const words = [...causes.map(({ message }) => message), code, description];
  const reason = [...new Set(words.filter((word) => typeof word === 'string' && word !== ''))].join(': ');
  return new ProviderFailure(reason.slice(0, MAX_REASON), code === 'invalid_grant' ? 'ended' : 'refused', claims);
}

interface AnsweredError {
  readonly error?: unknown;
  readonly error_description?: unknown;
  readonly status?: unknown;
}

const causesOf = (error: unknown): Error[] => (error instanceof Error ? [error, ...causesOf(error.cause)] : []);
