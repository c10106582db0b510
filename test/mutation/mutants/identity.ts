import type { Mutant } from '../mutant';

const members = 'src/modules/identity/members.service.ts';
const keys = 'src/modules/identity/api-keys.service.ts';
const session = 'src/portal/http/session.guard.ts';
const ofMembers = 'test/e2e/members.spec.ts';
const ofKeys = 'test/e2e/api-keys.spec.ts';
const ofSignIn = 'test/e2e/portal-sign-in.spec.ts';

/** Who may manage members and keys, and whose forms the portal accepts. */
export const identity: readonly Mutant[] = [
  {
    name: 'members: an admin changes roles',
    file: members,
    search: "if (own?.role !== 'owner') throw onlyOwners(organizationId);",
    replace: 'if (own === undefined) throw onlyOwners(organizationId);',
    spec: ofMembers,
    test: 'get no role from an admin',
  },
  {
    name: 'members: the last owner leaves',
    file: members,
    search:
      "if (role === 'owner' && (await this.members.countOwnersInLocked(organizationId)) === 1) throw lastOwner();",
    replace: '',
    spec: ofMembers,
    test: 'may leave, except the last owner',
  },
  {
    name: 'members: keys stay valid for the organization after a removal',
    file: members,
    search: 'await this.keys.revokeLimitedTo(userId, organizationId);',
    replace: '',
    spec: ofMembers,
    test: 'lose access at once when they are removed',
  },
  {
    name: 'keys: a key creates one that outlives it',
    file: keys,
    search: 'if (expires !== null && latest !== null && expires > latest) throw expiryAfterCallingKey(latest);',
    replace: '',
    spec: ofKeys,
    test: 'ends with that key at the latest',
  },
  {
    name: 'keys: a key that is limited to an organization creates one that is not',
    file: keys,
    search: 'const organization = organizationId ?? callingKey?.organizationId ?? null;',
    replace: 'const organization = organizationId ?? null;',
    spec: ofKeys,
    test: 'has the same limit to an organization',
  },
  {
    name: 'keys: a created key survives the revocation of its creator',
    file: keys,
    search: 'const revoked = await this.keys.revokeFamilyInLocked(id);',
    replace: 'const revoked = await this.keys.revokeFamilyInLocked(id + 1_000_000);',
    spec: ofKeys,
    test: 'is revoked with that key',
  },
  {
    name: 'keys: a revoked key still creates keys',
    file: keys,
    search: 'if (!exists || (key !== null && (await this.keys.isRevoked(key.id)))) throw callingKeyRevoked();',
    replace: '',
    spec: ofKeys,
    test: 'does not survive although it is created while that key is revoked',
  },
  {
    name: 'keys: a replaced secret creates keys',
    file: keys,
    search: 'if (key?.replacedSecretUntil !== undefined) throw secretReplaced();',
    replace: '',
    spec: ofKeys,
    test: 'leaves the old secret without the right to create and rotate keys',
  },
  {
    name: 'keys: a key rotates the keys of others',
    file: keys,
    search: 'if (callingKey !== null && !(await this.keys.isInFamilyOf(callingKey.id, id))) throw onlyOwnKeysRotate();',
    replace: '',
    spec: ofKeys,
    test: 'is allowed for the key itself and the keys that it created',
  },
  {
    name: 'portal: forms of other sites are accepted',
    file: session,
    search: "if (request.get('origin') !== origin) throw foreignForm();",
    replace: '',
    spec: ofSignIn,
    test: 'a form that another site sends',
  },
  {
    name: 'portal: forms need no token of the session',
    file: session,
    search: 'if (expected !== undefined && !isSameText(given, expected)) throw foreignForm();',
    replace: '',
    spec: ofSignIn,
    test: 'is refused with the token of another session',
  },
  {
    name: 'portal: a foreign Referer names the page that is shown after a refusal',
    file: 'src/portal/http/form-again.ts',
    search: 'return isOwn(url) ? ownPath(url.pathname + url.search) : undefined;',
    replace: 'return ownPath(url.pathname + url.search);',
    spec: 'test/e2e/portal-account.spec.ts',
    test: 'never shows a page that a foreign Referer or field names',
  },
  {
    name: 'portal: passwords are shown again after a refusal',
    file: 'src/portal/frame/form.tsx',
    search: 'const value = isSecret(input) ? undefined : text;',
    replace: 'const value = text;',
    spec: 'test/e2e/portal-account.spec.ts',
    test: 'with passwords and codes does not repeat them',
  },
];
