import { DomainError } from '../../../kernel/domain-error';

/** The result, or undefined if it failed with an error of this kind. */
export async function undefinedIf<T>(kind: DomainError['kind'], result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof DomainError && error.kind === kind) return undefined;
    throw error;
  }
}
