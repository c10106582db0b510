import { conflict, DomainError, forbidden, invalid, notFound, unprocessable } from '../../../kernel/domain-error';
import type { Requirement, UnmetRequirement } from './sign-in-rules';

export const emailTaken = () => conflict('A user with this e-mail address already exists.');

export const alreadyMember = () => conflict('This user already has a role in this organization.');

export const neededForApprovals = (organizationId: number) =>
  conflict(
    `Organization ${organizationId} requires a second approval, so it keeps two admins with proved e-mail addresses. Add another one first.`,
  );

export const userNotFound = () => notFound('User');

export const sessionNotFound = () => notFound('Session');

export const sessionEnded = () => new DomainError('unauthenticated', 'Your session has ended. Sign in again.');

export const signInRefused = () => new DomainError('unauthenticated', 'The e-mail address or the password is wrong.');

export const tooManySignIns = (seconds: number) =>
  new DomainError(
    'too_many_requests',
    `Too many attempts to sign in. Try again in ${seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`,
    seconds,
  );

export const challengeOver = () =>
  new DomainError('unauthenticated', 'This sign-in has ended. Enter your address and password again.');

export const codeRefused = () => unprocessable('This code is wrong, has expired or was already used.');

export const tooManyCodes = () =>
  new DomainError(
    'too_many_requests',
    'Too many wrong codes. Try again in an hour, or ask the operator of the service to turn the second factor off.',
    3_600,
  );

export const currentPasswordWrong = () => unprocessable('The current password is wrong.');

export const samePassword = () => invalid('The new password must differ from the current one.');

export const secondFactorOn = () => conflict('The second factor is already turned on.');

export const secondFactorOff = () => conflict('The second factor is not turned on.');

export const secondFactorUnavailable = () =>
  new DomainError(
    'unavailable',
    'Codes of an authenticator app need SECRET_KEY in the configuration of the service. Ask its operator to set it.',
  );

export const passkeysUnavailable = (origin: string) =>
  conflict(
    `Passkeys need https and a host name, and this portal is at ${origin}. Ask the operator of the service to set PORTAL_URL.`,
  );

export const passkeyChallengeOver = () =>
  unprocessable('This took too long, was used before, or began in another browser or session. Begin again.');

export const passkeyRefused = () =>
  new DomainError(
    'unauthenticated',
    'The passkey was not accepted. It must be one of this user, and without a password it must ask for a fingerprint, a face or a PIN.',
  );

export const passkeyUnproved = () => unprocessable('Confirm with one of your passkeys: none was accepted.');

export const passkeyNotCreated = () => unprocessable('The passkey was not created as this page asked. Begin again.');

export const passkeyTaken = () => conflict('This passkey exists already.');

export const passkeyNotFound = () => notFound('Passkey');

export const passkeysLimitReached = (limit: number) =>
  unprocessable(`A user has at most ${limit} passkeys. Remove one that is no longer used.`);

export const lastSignIn = () =>
  conflict(
    'This is the only way in which you can sign in. Add another passkey, or set a password, and remove it then.',
  );

export const passwordFirst = () =>
  conflict('Set a password first, with "Forgotten password" on the sign-in page: this change asks for it.');

export const ownSecondFactor = () => conflict('Turn off your own second factor under Settings, Security.');

export const mailNotConfigured = () =>
  conflict('This service sends no mail. Ask an owner of your organization for a link, or the operator of the service.');

export const tooManyMails = (seconds: number) =>
  new DomainError(
    'too_many_requests',
    `Too many mails to this address. Try again in ${Math.max(1, Math.ceil(seconds / 60))} minutes.`,
    seconds,
  );

export const setupLinkInvalid = () =>
  new DomainError(
    'not_found',
    'This link is not valid, has expired or was already used. The operator creates a new one on the command line.',
  );

export const alreadySetUp = () =>
  conflict('This installation has users already. Sign in, or create a user with `create-user`.');

export const keyNotFound = () => notFound('API key');

export const organizationOutsideUser = () =>
  invalid('The key cannot be limited to an organization that its user cannot access.');

export const expiryInPast = (expires: Date) =>
  invalid(`The expiry ${expires.toISOString()} is in the past. Choose a later date.`);

export const passwordTooShort = (minLength: number) =>
  invalid(`The password must have at least ${minLength} characters.`);

export const callingKeyRevoked = () => new DomainError('unauthenticated', 'This API key was revoked.');

export const secretReplaced = () =>
  forbidden('The secret of this request was replaced by a rotation. Use the new secret to create and rotate keys.');

export const expiryAfterCallingKey = (expires: Date) =>
  invalid(
    `expires must be ${expires.toISOString()} or earlier, because the key of this request ends then. Leave it out for the same end.`,
  );

export const keysLimitReached = (limit: number) =>
  unprocessable(`A user has at most ${limit} usable API keys. Revoke one that is no longer used.`);

export const onlyOwnKeysRotate = () =>
  forbidden('An API key can rotate only itself and the keys that it created. Use that key, or sign in to the portal.');

export const scopesNotNarrower = (scopes: readonly string[]) =>
  unprocessable(`The scopes of a key can only become fewer. It has: ${scopes.join(', ')}. For more, create a new key.`);

export const keyUnusable = () => conflict('This API key is revoked or has expired. Create a new one.');

export const memberNotFound = () => notFound('Member');

export const onlyOwners = (organizationId: number) =>
  forbidden(`This needs the role owner or above in organization ${organizationId}.`);

export const lastOwner = () =>
  conflict('This is the only owner of the organization. Give another member the role owner first.');

export const invitationNotFound = () => notFound('Invitation');

export const invitationsLimitReached = (limit: number) =>
  unprocessable(`An organization has at most ${limit} open invitations. Revoke one that is no longer needed.`);

const REASONS = {
  accepted: 'was already accepted',
  revoked: 'was revoked',
  expired: 'has expired',
  invalid: 'is no longer valid, because the person who sent it may no longer invite',
} as const;

export const invitationOver = (state: keyof typeof REASONS) =>
  conflict(`This invitation ${REASONS[state]}. Ask an owner of the organization for a new one.`);

export const invitationEnded = (state: 'accepted' | 'revoked' | 'expired') =>
  conflict(`This invitation ${REASONS[state]}, so it cannot be revoked.`);

export const invitationOfAnother = () =>
  forbidden('This invitation is for another e-mail address. Sign in as the user with that address.');

export const signInToAccept = () =>
  conflict('A user with this e-mail address already exists. Sign in, then open the link again.');

export const addressNotProved = (isMailed: boolean) =>
  conflict(
    isMailed
      ? 'The e-mail address of your user is not proved. Sign out, use "Forgotten password" on the sign-in page, and set a new password with the link in the mail.'
      : 'The e-mail address of your user is not proved. Ask the operator of the service to run `npm run cli -- prove-address`.',
  );

export const addressAlreadyProved = () => conflict('The e-mail address of this user is proved already.');

export const keyOpensNothing = () =>
  unprocessable(
    'A key opens the organizations that its user is in when the key is created, and the user is in none. Accept an invitation first.',
  );

export const keyNotInReview = () => conflict('This API key does not wait for a decision.');

export const integratorsAreNoMembers = () =>
  conflict(
    'A user of an integrator cannot become a member of an organization. Ask for an invitation of another address.',
  );

export const passwordResetNotFound = () =>
  new DomainError(
    'not_found',
    'This link is not valid, has expired or was already used. Ask an owner of your organization for a new one.',
  );

export const ownPasswordReset = () => conflict('Change your own password in the portal, where you sign in with it.');

export const memberElsewhere = () =>
  conflict(
    'You can reset the password of users who belong to your organization alone. This user has access to others too: ask the operator of the service.',
  );

export const lastOwnerOf = (names: readonly string[]) =>
  conflict(
    `The user is the only owner of ${names.join(', ')}. Make another member owner, or delete the organization, and erase the user then.`,
  );

const FACTORS = { off: 'nothing', second_factor: 'a second factor', passkey: 'a passkey' } as const;

/** An organization requires what the user or the session does not have. The page of the error has the link. */
export class OrganizationClosed extends DomainError {
  constructor(readonly unmet: UnmetRequirement) {
    super(
      'forbidden',
      unmet.needsSignIn
        ? `${unmet.name} requires that you sign in with a passkey, and this session began without one.`
        : `${unmet.name} requires ${FACTORS[unmet.requirement]} of its members. Set one up to see its pages.`,
    );
  }
}

export const ownFactorFirst = (requirement: Requirement) =>
  conflict(
    `Set up ${FACTORS[requirement]} for yourself first, under Settings, Security: you could not come in without it.`,
  );

export const keyNeedsFactor = (organization: string, requirement: Requirement) =>
  forbidden(
    `${organization} requires ${FACTORS[requirement]} of its members: set one up under Settings, Security, to create API keys. Keys that exist still work.`,
  );

export const keyScopesForbidden = (organization: string, forbidden: readonly string[], allowed: readonly string[]) =>
  unprocessable(
    `scopes must not have ${forbidden.join(', ')}: a rule of ${organization} allows API keys only ${allowed.join(', ')}.`,
  );

export const keyLivesTooLong = (organization: string, days: number, latest: Date) =>
  unprocessable(
    `expires must be ${latest.toISOString()} or earlier: a rule of ${organization} limits API keys to ${days} days.`,
  );
