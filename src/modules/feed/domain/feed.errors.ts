import { conflict, DomainError } from '../../../kernel/domain-error';

export const positionDeleted = (after: number, oldest: number): DomainError =>
  conflict(
    `The entries after ${after} are no longer kept: the oldest one is ${oldest}. Read the records again, then continue with after=${oldest - 1}.`,
  );

/** After a restore from a backup, for example. */
export const positionUnknown = (after: number, newest: number): DomainError =>
  conflict(
    `The feed has no position ${after}: the newest one is ${newest}. Read the records again, then continue with after=${newest}.`,
  );

const RETRY_SECONDS = 10;

export const tooManyOpen = (most: number, whose: string): DomainError =>
  new DomainError(
    'too_many_requests',
    `At most ${most} requests of ${whose} may wait for entries at once. End another one first.`,
    RETRY_SECONDS,
  );
