import { conflict, DomainError, invalid, notFound } from '../../../kernel/domain-error';

export const emailTaken = () => conflict('A user with this e-mail address already exists.');

export const alreadyMember = () => conflict('This user already has a role in this organization.');

export const userNotFound = () => notFound('User');

export const sessionNotFound = () => notFound('Session');

export const signInRefused = () => new DomainError('unauthenticated', 'The e-mail address or the password is wrong.');

export const tooManySignIns = (seconds: number) =>
  new DomainError(
    'too_many_requests',
    `Too many attempts to sign in. Try again in ${seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`,
    seconds,
  );

export const keyNotFound = () => notFound('API key');

export const organizationOutsideUser = () =>
  invalid('The key cannot be limited to an organization that its user cannot access.');

export const expiryInPast = (expires: Date) =>
  invalid(`The expiry ${expires.toISOString()} is in the past. Choose a later date.`);

export const passwordTooShort = (minLength: number) =>
  invalid(`The password must have at least ${minLength} characters.`);
