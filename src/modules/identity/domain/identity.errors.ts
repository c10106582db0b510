import { conflict, invalid, notFound } from '../../../kernel/domain-error';

export const emailTaken = () => conflict('A user with this e-mail address already exists.');

export const alreadyMember = () => conflict('This user already has a role in this organization.');

export const userNotFound = () => notFound('User');

export const keyNotFound = () => notFound('API key');

export const organizationOutsideUser = () =>
  invalid('The key cannot be limited to an organization that its user cannot see.');

export const expiryInPast = (expires: Date) =>
  invalid(`The key would have expired at ${expires.toISOString()}: choose a later date.`);

export const passwordTooShort = (least: number) => invalid(`The password must have at least ${least} characters.`);
