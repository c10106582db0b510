import { DomainError, type ErrorKind } from '../../../kernel/domain-error';

/** An error with the fields that RFC 7644 adds. */
export class ScimError extends DomainError {
  constructor(
    kind: ErrorKind,
    message: string,
    readonly scimType?: 'invalidFilter' | 'invalidSyntax' | 'invalidValue' | 'uniqueness',
    /** If no kind has it. */
    readonly status?: number,
  ) {
    super(kind, message);
  }
}

export const invalidFilter = () =>
  new ScimError(
    'invalid',
    'filter must be userName eq "…", externalId eq "…" or id eq "…". Other filters are not supported.',
    'invalidFilter',
  );

export const invalidSyntax = (message: string) => new ScimError('invalid', message, 'invalidSyntax');

export const invalidValue = (message: string) => new ScimError('invalid', message, 'invalidValue');

export const addressTaken = () =>
  new ScimError(
    'conflict',
    'A user with this address exists who is no member of the organization. Invite the user: a provider adds no existing users.',
    'uniqueness',
  );

export const removedBefore = (id: number) =>
  new ScimError('conflict', `This user exists with the id ${id} and is not active. Set active to true.`, 'uniqueness');

export const domainNotVerified = (domain: string) =>
  invalidValue(`The organization has not verified the domain ${domain} of userName.`);

export const defaultRoleMissing = () =>
  invalidValue(
    'New users have no role. An owner sets "Role of users without such a group" on the page Single sign-on.',
  );

export const notSupported = () =>
  new ScimError('invalid', 'Only users are supported: no groups, no bulk and no search by POST.', undefined, 501);
