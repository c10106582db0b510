import { DomainError } from '../../kernel/domain-error';

export const nothingHere = (): DomainError => new DomainError('not_found', 'There is nothing at this path.');
