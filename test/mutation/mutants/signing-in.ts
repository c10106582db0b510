import type { Mutant } from '../mutant';

const account = 'test/e2e/portal-account.spec.ts';
const people = 'test/e2e/portal-people.spec.ts';
const setup = 'test/e2e/portal-setup.spec.ts';
const factors = 'src/modules/identity/data/second-factors.repository.ts';
const secondFactor = 'src/modules/identity/second-factor.service.ts';
const sessions = 'src/modules/identity/sessions.service.ts';

/** Signing in to the portal, second factors, links and mail. */
export const signingIn: readonly Mutant[] = [
  {
    name: 'a sign-in does not ask for the code of the second factor',
    file: sessions,
    search: 'const hasSecondFactor = await this.secondFactors.isOn(user.id);\n    const before',
    replace: 'const hasSecondFactor = user.id === 0;\n    const before',
    spec: account,
    test: 'completes a sign-in, which has no session before',
  },
  {
    name: 'a code of an authenticator app works twice',
    file: factors,
    search: ' AND (last_step IS NULL OR last_step < ${step})',
    replace: '',
    spec: account,
    test: 'accepts each code once',
  },
  {
    name: 'wrong codes are not limited',
    file: factors,
    search: ' AND (failures < ${limit} OR last_attempt < ${windowStart})',
    replace: '',
    spec: account,
    test: 'limits guesses of the code',
  },
  {
    name: 'wrong codes are counted in the transaction that a refused form rolls back',
    file: secondFactor,
    search: 'return this.transactions.outside(async () => {',
    replace: 'return Promise.resolve().then(async () => {',
    spec: account,
    test: 'counts wrong codes also in forms of the settings',
  },
  {
    name: 'a recovery code works twice',
    file: factors,
    search: 'sql`DELETE FROM recovery_codes WHERE user_id = ${userId} AND code_hash = ${codeHash}`',
    replace: 'sql`UPDATE recovery_codes SET user_id = user_id WHERE user_id = ${userId} AND code_hash = ${codeHash}`',
    spec: account,
    test: 'has recovery codes that work once each',
  },
  {
    name: 'the step between password and code does not end',
    file: sessions,
    search: 'found === undefined || found.expires <= this.clock.now()',
    replace: 'found === undefined',
    spec: account,
    test: 'asks for the password again when the sign-in is older',
  },
  {
    name: 'the step between password and code can be completed twice',
    file: sessions,
    search: 'if (!(await this.challenges.complete(tokenHash))) throw challengeOver();',
    replace: '',
    spec: account,
    test: 'completes a sign-in, which has no session before',
  },
  {
    name: 'after the code, a sign-in leads to another site',
    file: 'src/portal/http/sign-in-required.ts',
    search: 'if (!OWN_PATH.test(named) || named.length > 2_000) return undefined;',
    replace: 'return named;',
    spec: account,
    test: 'leads only to pages of the portal after the code',
  },
  {
    name: 'a change of the password does not need the current one',
    file: 'src/modules/identity/password-verifier.ts',
    search: 'if (!matches) throw currentPasswordWrong();',
    replace: 'if (!matches) return;',
    spec: account,
    test: 'needs the current one, ends all other sessions',
  },
  {
    name: 'a change of the password leaves the other sessions',
    file: sessions,
    search: 'await this.sessions.endAll(userId);',
    replace: '',
    spec: account,
    test: 'needs the current one, ends all other sessions',
  },
  {
    name: 'an owner turns off the second factor of a user of other organizations',
    file: secondFactor,
    search: 'if (!(await this.memberships.belongsOnlyTo(organizationId, userId))) throw memberElsewhere();',
    replace: 'void [this.memberships, memberElsewhere];',
    spec: account,
    test: 'is turned off by an owner only for a member who belongs to the organization alone',
  },
  {
    name: 'a key gets more scopes',
    file: 'src/modules/identity/api-keys.service.ts',
    search: 'if (!includesScopes(key.scopes, scopes)) throw',
    replace: 'if (!includesScopes(scopes, scopes)) throw',
    spec: account,
    test: 'offers to narrow a key to the scopes that it used',
  },
  {
    name: 'the setup link works for several requests at once',
    file: 'src/modules/identity/setup.service.ts',
    search: 'if (!(await this.links.use(hashToken(token), this.clock.now()))) throw setupLinkInvalid();',
    replace: '',
    spec: setup,
    test: 'is set up once, with a link of the operator',
  },
  {
    name: 'requests for mail are not limited',
    file: 'src/modules/identity/password-resets.service.ts',
    search: 'if (wait !== undefined) throw tooManyMails(wait);',
    replace: 'void [wait, tooManyMails];',
    spec: setup,
    test: 'limits the mail that one address can ask for',
  },
  {
    name: 'an owner deletes an organization without an integrator',
    file: 'src/modules/organizations/organizations.service.ts',
    search: `deleteFor(caller: Caller, id: number): Promise<Organization> {
    if (caller.integrator === null) throw onlyIntegrators();`,
    replace: 'deleteFor(caller: Caller, id: number): Promise<Organization> {',
    spec: people,
    test: 'is deleted by its integrator alone',
  },
  {
    name: 'a user has any number of sessions',
    file: 'src/modules/identity/sessions.service.ts',
    search: 'await this.sessions.endOldest(userId, MAX_SESSIONS);',
    replace: '',
    spec: 'test/e2e/portal-sign-in.spec.ts',
    test: 'ends the oldest of more than 100 sessions',
  },
  {
    name: 'any number of sign-ins of a user wait for a code',
    file: 'src/modules/identity/sessions.service.ts',
    search: 'await this.challenges.removeOldest(userId, MAX_CHALLENGES);',
    replace: '',
    spec: account,
    test: 'keeps the newest 20 sign-ins',
  },
];
