import { Injectable } from '@nestjs/common';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { Clock } from '../../kernel/clock';
import type { Caller } from '../../platform/api/caller';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Transactions } from '../../platform/database/transactions';
import type { Passkey } from './data/passkey.entity';
import { PasskeysRepository } from './data/passkeys.repository';
import type { User } from './data/user.entity';
import { UsersRepository } from './data/users.repository';
import { lastSignIn, passkeyChallengeOver, passkeyNotFound, passkeysLimitReached } from './domain/identity.errors';
import { passkeyAddedMail, passkeyRemovedMail } from './domain/mail-texts';
import { checkedAssertion, createdCredential, credentialIdIn, handleOf } from './domain/passkey-responses';
import type { RelyingParty } from './domain/relying-party';
import { MailQueue } from './mail-queue';
import { type ChallengeUse, PASSKEY_CHALLENGE_MS, PasskeyChallenges } from './passkey-challenges';
import { SignInFailures } from './sign-in-failures';

/** What a browser sends after an authenticator has signed. */
export interface GivenPasskey {
  readonly party: RelyingParty;
  /** The challenge of the browser's cookie. */
  readonly token: string | undefined;
  /** JSON of the browser's API. */
  readonly response: string;
}

export interface BoundPasskey extends GivenPasskey {
  /** The session, for which the challenge was issued. */
  readonly boundTo: string;
}

interface Verification extends GivenPasskey, ChallengeUse {
  /** The only user whose passkeys are accepted. */
  readonly userId?: number;
  /** Whether it replaces the password: then the authenticator must have verified its user. */
  readonly isAlone: boolean;
}

/** Without a user the passkey is unknown; with a refusal it was not accepted. */
export interface PasskeyAnswer {
  readonly user: User | undefined;
  readonly passkeyId: number;
  readonly refusal?: string;
}

const MAX_PASSKEYS = 20;

/** Passkeys (WebAuthn) of users: as second factor, and instead of a password. */
@Injectable()
export class PasskeysService {
  constructor(
    private readonly passkeys: PasskeysRepository,
    private readonly users: UsersRepository,
    private readonly challenges: PasskeyChallenges,
    private readonly mails: MailQueue,
    private readonly failures: SignInFailures,
    private readonly transactions: Transactions,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  list({ facts: { userId } }: Caller): Promise<Passkey[]> {
    return this.passkeys.listOf(userId);
  }

  exists(userId: number, id: number): Promise<boolean> {
    return this.passkeys.exists(userId, id);
  }

  /** What a browser asks its authenticators for: a passkey of this user, or of any without one. */
  async requestOptions(
    party: RelyingParty,
    challenge: string,
    userId?: number,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const known = userId === undefined ? [] : await this.passkeys.listOf(userId);
    return generateAuthenticationOptions({
      rpID: party.id,
      challenge: Buffer.from(challenge, 'base64url'),
      timeout: PASSKEY_CHALLENGE_MS,
      userVerification: userId === undefined ? 'required' : 'preferred',
      allowCredentials: known.map(descriptorOf),
    });
  }

  /** What a browser asks an authenticator for, to create a passkey of the caller. */
  async creationOptions(
    caller: Caller,
    { party, token, boundTo }: Omit<GivenPasskey, 'response'> & { readonly boundTo: string },
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { challenge } = this.challenges.open(token, { purpose: 'add', boundTo });
    const { userId, email, name } = caller.facts;
    return generateRegistrationOptions({
      rpName: 'Assay',
      rpID: party.id,
      userName: email,
      userDisplayName: name ?? email,
      userID: handleOf(userId),
      challenge: Buffer.from(challenge, 'base64url'),
      timeout: PASSKEY_CHALLENGE_MS,
      excludeCredentials: (await this.passkeys.listOf(userId)).map(descriptorOf),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
  }

  /** The challenge is the permission, for one passkey. It ends with the session, which the caller ends. */
  async add(caller: Caller, name: string, given: BoundPasskey): Promise<void> {
    const { userId } = caller.facts;
    this.unitOfWork.note({ resourceId: String(userId) });
    const { challenge, issued } = this.challenges.open(given.token, { purpose: 'add', boundTo: given.boundTo });
    const { credential, transports } = await createdCredential(given.response, { party: given.party, challenge });
    await this.users.lockForNoKeyUpdate(userId);
    const all = await this.passkeys.listOf(userId);
    if (all.length >= MAX_PASSKEYS) throw passkeysLimitReached(MAX_PASSKEYS);
    if (all.some(({ lastChallenge }) => lastChallenge >= issued)) throw passkeyChallengeOver();
    const id = await this.passkeys.save({
      userId,
      name,
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: String(credential.counter),
      transports,
      lastChallenge: issued,
    });
    this.unitOfWork.note({ metadata: { passkey_id: id, name } });
    await this.mails.add({ kind: 'notice', userId, ...passkeyAddedMail(name) });
  }

  async rename(caller: Caller, id: number, name: string): Promise<void> {
    if (!(await this.passkeys.rename(caller.facts.userId, id, name))) throw passkeyNotFound();
    this.unitOfWork.note({ metadata: { name } });
  }

  /** Ends no sessions itself. The last passkey of a user without a password stays, so that the user can still sign in. */
  async remove({ facts: { userId } }: Caller, id: number): Promise<void> {
    await this.users.lockForNoKeyUpdate(userId);
    const all = await this.passkeys.listOf(userId);
    const passkey = all.find((one) => one.id === id);
    if (passkey === undefined) throw passkeyNotFound();
    if (all.length === 1 && (await this.users.find(userId))?.passwordHash === null) throw lastSignIn();
    await this.passkeys.remove(userId, id);
    this.unitOfWork.note({ metadata: { name: passkey.name } });
    await this.mails.add({ kind: 'notice', userId, ...passkeyRemovedMail(passkey.name) });
  }

  /** An accepted answer is stored also if the change that asks for it is refused, so that none is accepted twice. */
  verify(verification: Verification): Promise<PasskeyAnswer> {
    return this.transactions.outside(async () => {
      const { challenge, issued } = this.challenges.open(verification.token, verification);
      const { party, response, userId, isAlone } = verification;
      const passkey = await this.passkeys.findByCredential(credentialIdIn(response));
      if (passkey === undefined) return this.refused(undefined, 0, 'unknown passkey');
      const user = await this.users.find(passkey.userId);
      if (userId !== undefined && userId !== passkey.userId)
        return this.refused(user, passkey.id, 'passkey of another user');
      const { counter, problem } = await checkedAssertion(response, passkey, { party, challenge, isAlone });
      if (problem !== undefined) return this.refused(user, passkey.id, problem);
      const use = { counter, issued, now: this.clock.now() };
      if (!(await this.passkeys.acceptUse(passkey.id, use)))
        return this.refused(user, passkey.id, 'challenge was used before');
      return { user, passkeyId: passkey.id };
    });
  }

  private refused(user: User | undefined, passkeyId: number, refusal: string): PasskeyAnswer {
    this.failures.count({ step: 'passkey', reason: 'refused' });
    return { user, passkeyId, refusal };
  }
}

const descriptorOf = ({ credentialId, transports }: Passkey) => ({
  id: credentialId.toString('base64url'),
  transports,
});
