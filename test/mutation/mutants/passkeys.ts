import type { Mutant } from '../mutant';

const spec = 'test/e2e/portal-passkeys.spec.ts';
const rules = 'test/e2e/sign-in-rules.spec.ts';
const passkeys = 'src/modules/identity/passkeys.service.ts';
const repository = 'src/modules/identity/data/passkeys.repository.ts';
const responses = 'src/modules/identity/domain/passkey-responses.ts';
const challenges = 'src/modules/identity/passkey-challenges.ts';
const signInRules = 'src/modules/identity/domain/sign-in-rules.ts';

/** Passkeys, and what organizations require of sign-ins, sessions and keys. */
export const passkeyMutants: readonly Mutant[] = [
  {
    name: 'passkeys: one of another user completes a sign-in',
    file: passkeys,
    search: 'if (userId !== undefined && userId !== passkey.userId)',
    replace: 'if (userId === 0)',
    spec,
    test: 'who knows the password does not complete the sign-in',
  },
  {
    name: 'passkeys: an answer works twice',
    file: repository,
    search: ' AND last_challenge < ${issued} AND (counter < ${counter} OR (counter = 0 AND ${counter}::bigint = 0))',
    replace: '',
    spec,
    test: 'uses one answer once',
  },
  {
    name: 'passkeys: the user need not be verified without a password',
    file: responses,
    search: 'requireUserVerification: isAlone,',
    replace: 'requireUserVerification: false,',
    spec,
    test: 'without a verified user',
  },
  {
    name: 'passkeys: any origin is accepted',
    file: responses,
    search: 'expectedOrigin: party.origin,\n      expectedRPID: party.id,\n      requireUserVerification: isAlone,',
    replace:
      "expectedOrigin: [party.origin, 'https://evil.example'],\n      expectedRPID: party.id,\n      requireUserVerification: isAlone,",
    spec,
    test: 'of another origin',
  },
  {
    name: 'passkeys: a challenge serves another session',
    file: challenges,
    search: 'JSON.stringify([purpose, boundTo, challenge, issued])',
    replace: 'JSON.stringify([purpose, boundTo.slice(0, 0), challenge, issued])',
    spec,
    test: 'does not use a challenge of another session',
  },
  {
    name: 'passkeys: a challenge serves another purpose',
    file: challenges,
    search: 'JSON.stringify([purpose, boundTo, challenge, issued])',
    replace: 'JSON.stringify([purpose.slice(0, 0), boundTo, challenge, issued])',
    spec,
    test: 'does not use a challenge of another session',
  },
  {
    name: 'passkeys: a challenge does not expire',
    file: challenges,
    search: '!isFresh || ',
    replace: '',
    spec,
    test: 'or after five minutes',
  },
  {
    name: 'passkeys: the only way to sign in is removed',
    file: passkeys,
    search: 'throw lastSignIn();',
    replace: 'this.unitOfWork.note({});',
    spec,
    test: 'that is the only way to sign in stays',
  },
  {
    name: 'passkeys: one that was added before the proof of the address stays',
    file: 'src/modules/identity/data/access-paths.ts',
    search: 'DELETE FROM passkeys WHERE ${ofUser(leaving)} AND is_unproved RETURNING',
    replace: 'DELETE FROM passkeys WHERE user_id = 0 AND is_unproved RETURNING',
    spec,
    test: 'while the address was not proved',
  },
  {
    name: 'passkeys: the password alone adds one beside another',
    file: 'src/modules/identity/account.service.ts',
    search: 'else if (hasFactor) {',
    replace: 'else if (passkey !== undefined) {',
    spec,
    test: 'confirms a further passkey',
  },
  {
    name: 'recovery codes: they outlive the last factor',
    file: repository,
    search: 'await this.database.change(endCodesOfNoFactor(userId));',
    replace: 'void endCodesOfNoFactor;',
    spec,
    test: 'they end with the last factor',
  },
  {
    name: 'recovery codes: one sets up an app that nobody has',
    file: 'src/modules/identity/second-factor.service.ts',
    search: '!isFirst && isRecoveryCode(code)',
    replace: 'isRecoveryCode(code)',
    spec,
    test: 'do not set up an app',
  },
  {
    name: 'recovery codes: they outlive the passkey of somebody who had not proved the address',
    file: 'src/modules/identity/data/access-paths.ts',
    search: 'AND EXISTS (SELECT 1 FROM ended))`;',
    replace: "AND EXISTS (SELECT 1 FROM ended WHERE label = 'app'))`;",
    spec,
    test: 'with the proof that ends the passkey',
  },
  {
    name: 'recovery codes: a second factor replaces them',
    file: 'src/modules/identity/second-factor.service.ts',
    search: '(await this.factors.countCodes(userId)) > 0 ? []',
    replace: '(await this.factors.countCodes(userId)) < 0 ? []',
    spec,
    test: 'stay when an app or another passkey is added',
  },
  {
    name: 'sign-in rules: an organization that requires a passkey is open without one',
    file: signInRules,
    search: "requirement === 'off' || isByOwnProvider || (isOwn && hasFactor)",
    replace: "requirement !== 'passkey'",
    spec: rules,
    test: 'accepts an authenticator app if only a second factor',
  },
  {
    name: 'sign-in rules: the services read an organization that is closed',
    file: 'src/modules/identity/sessions.service.ts',
    search: 'filter(({ organization_id: id }) => !closed.has(id))',
    replace: 'filter(({ organization_id: id }) => id > 0 || closed.has(id))',
    spec: rules,
    test: 'shows a member without one only the page that says so',
  },
  {
    name: 'sign-in rules: a passkey that was not used is enough',
    file: signInRules,
    search: 'hasPasskey && hasUsedPasskey',
    replace: 'hasPasskey',
    spec: rules,
    test: 'asks a member who has signed in without the passkey',
  },
  {
    name: 'sign-in rules: the largest limit of sessions counts',
    file: signInRules,
    search: 'Math.min(...memberships',
    replace: 'Math.max(...memberships',
    spec: rules,
    test: 'are the smallest of the organizations',
  },
  {
    name: 'sign-in rules: new keys break them',
    file: 'src/modules/identity/api-keys.service.ts',
    search: 'await this.rules.requireAllowed(made);',
    replace: '',
    spec: rules,
    test: 'refuse a new key that breaks them',
  },
  {
    name: 'sign-in rules: a key that was ended for an organization still opens it',
    file: 'src/modules/identity/data/keys.repository.ts',
    search: 'c.organization_id = m.organization_id AND (c.ends IS NULL OR c.ends > now())',
    replace: 'c.organization_id = m.organization_id',
    spec: rules,
    test: 'end no access of a key to another organization',
  },
];
