import type { Mutant } from '../mutant';

const sessionsRepository = 'src/modules/identity/data/sessions.repository.ts';
const keysRepository = 'src/modules/identity/data/keys.repository.ts';
const admission = 'src/modules/providers/provider-admission.ts';
const attacks = 'test/e2e/provider-attacks.spec.ts';
const sessions = 'test/e2e/provider-sessions.spec.ts';
const provisioning = 'test/e2e/provider-provisioning.spec.ts';
const provisionedMembers = 'src/modules/identity/provisioned-members.service.ts';

/** Sign-ins through providers of organizations. */
export const providerMutants: readonly Mutant[] = [
  {
    name: 'providers: a session of one organization reaches all',
    file: sessionsRepository,
    search: 'AND (i.organization_id = m.organization_id OR i.organization_id IS NULL)',
    replace: '',
    spec: sessions,
    test: 'reaches no other organization of its user',
  },
  {
    name: 'providers: a session of a provider changes what is the user’s elsewhere',
    file: 'src/portal/http/session.guard.ts',
    search: 'if (request.caller?.isOfProvider && needsOwnSession(context)) throw ownSignInNeeded();',
    replace: '',
    spec: sessions,
    test: 'may not change what belongs to its user elsewhere',
  },
  {
    name: 'providers: users are made outside of the verified domains',
    file: admission,
    search: 'if (!(await this.domains.isVerifiedFor(organizationId, domain)))',
    replace: 'if (domain === "")',
    spec: attacks,
    test: 'signs nobody in, and the owners see the claims',
  },
  {
    name: 'providers: an address that is not verified makes a user',
    file: admission,
    search: ' || !isEmailVerified',
    replace: ' || isEmailVerified === null',
    spec: attacks,
    test: 'makes no user',
  },
  {
    name: 'providers: a sign-in is completed in another browser',
    file: 'src/modules/providers/data/provider-sign-ins.repository.ts',
    search: ' AND s.browser_hash = ${browserHash}',
    replace: ' AND ${browserHash}::bytea IS NOT NULL',
    spec: attacks,
    test: 'works once, and only in the browser that began the sign-in',
  },
  {
    name: 'providers: passwords open an organization that requires its provider',
    file: sessionsRepository,
    search: '(s.is_own AND NOT ${requiresProvider})',
    replace: 's.is_own',
    spec: sessions,
    test: 'is not reached with a password',
  },
  {
    name: 'providers: later keys open an organization that requires its provider',
    file: keysRepository,
    search: 'k.identity_id IS NOT NULL OR NOT ${requiresProvider}',
    replace: 'true OR NOT ${requiresProvider}',
    spec: sessions,
    test: 'is not opened by keys that other sessions make later',
  },
  {
    name: 'providers: a session outlives the last answer of a provider that is away',
    file: sessionsRepository,
    search: 'i.checked > ${confirmedSince}',
    replace: '${confirmedSince}::timestamptz IS NOT NULL',
    spec: sessions,
    test: 'lasts an hour without an answer of a provider that is away',
  },
  {
    name: 'providers: a logout token works twice',
    file: 'src/modules/providers/data/provider-sign-ins.repository.ts',
    search: 'return used === 1;',
    replace: 'return used < 2;',
    spec: sessions,
    test: 'that is forged, replayed, old or no logout token ends nothing',
  },
  {
    name: 'providers: signatures of ID tokens are not checked',
    file: 'src/modules/providers/provider-clients.ts',
    search: 'openid.enableNonRepudiationChecks(configuration);',
    replace: '',
    spec: attacks,
    test: 'also with the public key as secret',
  },
  {
    name: 'providers: a SCIM token works without its secret',
    file: 'src/modules/providers/scim-tokens.service.ts',
    search: 'found !== undefined && matches ?',
    replace: 'found !== undefined && (matches || true) ?',
    spec: provisioning,
    test: 'needs the token of its organization, which a replacement ends',
  },
  {
    name: 'providers: SCIM reads users of other organizations',
    file: 'src/modules/identity/data/provisioned-members.repository.ts',
    search: 'SELECT user_id FROM memberships WHERE organization_id = ${organizationId}\n',
    replace: 'SELECT user_id FROM memberships\n',
    spec: provisioning,
    test: 'needs the token of its organization, which a replacement ends',
  },
  {
    name: 'providers: SCIM removes the last owner',
    file: provisionedMembers,
    search:
      "if (role === 'owner' && (await this.members.countOwnersInLocked(organizationId)) === 1) throw lastOwner();",
    replace: '',
    spec: provisioning,
    test: 'never removes the last owner',
  },
  {
    name: 'providers: SCIM makes users of others members',
    file: 'src/modules/identity/data/provisioned-members.repository.ts',
    search:
      'AND ${unclaimedOutside(organizationId)}\n        AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id)',
    replace: '',
    spec: provisioning,
    test: 'makes no user of another domain, and takes no user of others',
  },
  {
    name: 'providers: keys outlive a removal over SCIM',
    file: provisionedMembers,
    search: 'await this.keys.revokeLimitedTo(userId, organizationId);',
    replace: '',
    spec: provisioning,
    test: 'ends keys and sessions of its organization within five seconds, and nothing of others',
  },
];
