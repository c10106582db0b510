import { conflict, DomainError, forbidden, invalid, notFound, unprocessable } from '../../../kernel/domain-error';
import { asLine } from '../../../kernel/plain-text';
import type { ShownClaims } from './provider-claims';

/** Why a provider's answer was refused: the sentence and the claims are for the owners of the organization, and stored. */
export class ProviderFailure extends Error {
  constructor(
    reason: string,
    /** unreachable: nothing is known. ended: the provider refuses the user. */
    readonly kind: 'refused' | 'unreachable' | 'ended' = 'refused',
    readonly claims: ShownClaims = {},
    /** The error for the user, if it is more than that the sign-in was refused. */
    readonly forUser?: DomainError,
  ) {
    super(asLine(reason));
    this.name = 'ProviderFailure';
  }
}

export const noRole = (claims: ShownClaims) =>
  new ProviderFailure('None of the groups has a role, and there is no default role.', 'refused', claims);

export const providerNotFound = () => notFound('Identity provider');

export const portalUrlMissing = () =>
  unprocessable('A sign-in through a provider needs PORTAL_URL in the configuration of the service. Ask its operator.');

export const signInOver = () =>
  new DomainError(
    'unauthenticated',
    'This sign-in has ended, or was begun in another browser. Begin it again on the sign-in page.',
  );

export const signInRefused = () =>
  forbidden(
    'The sign-in through your organization was refused. Ask an owner of the organization: the page Single sign-on in its settings shows why.',
  );

export const providerUnreachable = () =>
  new DomainError('unavailable', 'The identity provider does not answer. Try again later, or ask your organization.');

export const userExists = () =>
  conflict(
    'A user with your e-mail address exists already. Sign in the other way, and link the provider under Settings, Linked providers.',
  );

export const notMemberToLink = () => forbidden('Only members of the organization link its identity provider.');

export const noProviderForAddress = () =>
  notFound('A provider for this address: its organization has set up none, or has not verified the domain. A provider');

export const unusableProvider = (reason: string) => invalid(`issuer must be a provider that answers: ${reason}`);

export const secretMissing = () => invalid('client_secret is missing: it is needed for another issuer or client.');

export const roleMissing = () => invalid('default_role must be set, or roles, so that new users have a role.');

export const signInThroughProviderFirst = () =>
  conflict('Link the provider to your user first, and sign in through it in this browser: that shows that it works.');

export const breakGlassNoOwner = () => invalid('break_glass must be an owner of the organization.');

export const logoutRefused = (reason: string) => invalid(`logout_token is refused: ${reason}`);

export const tooManySettings = (seconds: number) =>
  new DomainError('too_many_requests', `The provider was saved too often. Try again in ${seconds} seconds.`, seconds);

export const tooManySignIns = (seconds: number) =>
  new DomainError('too_many_requests', `Too many sign-ins were begun. Try again in ${seconds} seconds.`, seconds);
