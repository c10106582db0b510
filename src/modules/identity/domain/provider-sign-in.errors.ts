import { conflict, forbidden } from '../../../kernel/domain-error';

export const identityTaken = () => conflict('This account at the provider belongs to another user already.');

export const ownSignInNeeded = () =>
  forbidden(
    'You are signed in through an identity provider, which may not change what is yours in other organizations. Sign out, and sign in with your password or passkey.',
  );

export const keyNeedsOrganization = () =>
  forbidden(
    'You are signed in through an identity provider. A key that you create is limited to an organization: choose one.',
  );

export const providerRequired = (organization: string, link: string) =>
  forbidden(`The organization "${organization}" requires a sign-in through its identity provider: ${link}`);
