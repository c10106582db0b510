import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { AddressProofsRepository } from './data/address-proofs.repository';
import { KeysRepository } from './data/keys.repository';
import { SessionsRepository } from './data/sessions.repository';
import { UsersRepository } from './data/users.repository';
import type { EndedCredentials } from './domain/ended-credentials';
import { KeyAuthenticator } from './key-authenticator';
import { MailQueue } from './mail-queue';

/**
 * Whether an e-mail address belongs to the person who uses the account. Until it is proved, somebody else may have made the
 * account, so the proof ends all that was made before. A link for a new password that an owner hands over makes the address
 * unproved again, because the owner could have used it.
 */
@Injectable()
export class AddressProofsService {
  constructor(
    private readonly proofs: AddressProofsRepository,
    private readonly sessions: SessionsRepository,
    private readonly keys: KeysRepository,
    private readonly users: UsersRepository,
    private readonly mails: MailQueue,
    private readonly authenticator: KeyAuthenticator,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  isProved(userId: number): Promise<boolean> {
    return this.proofs.isProved(userId);
  }

  /** Ends nothing: for a new user, or for the operator who knows the person. Returns false if it was proved before. */
  save(userId: number): Promise<boolean> {
    return this.proofs.save(userId);
  }

  /** Returns undefined if the address was proved before. */
  async prove(userId: number, reason: 'proved' | 'stated'): Promise<EndedCredentials | undefined> {
    await this.users.lockForNoKeyUpdate(userId);
    if (!(await this.proofs.save(userId))) return undefined;
    const hadSecondFactor = await this.proofs.removeUnprovedSecondFactor(userId);
    return this.endAll(userId, { reason, hadSecondFactor });
  }

  /** After a new password by a link that an owner handed over. */
  async withdraw(userId: number): Promise<EndedCredentials> {
    await this.users.lockForNoKeyUpdate(userId);
    await this.proofs.remove(userId);
    return this.endAll(userId, { reason: 'handed_link', hadSecondFactor: false });
  }

  /** After a new password by a link that was sent to the address. The first one proves it; later ones end no keys. */
  async applyMailedLink(userId: number): Promise<EndedCredentials> {
    return (await this.prove(userId, 'proved')) ?? this.endSessions(userId);
  }

  /** Ends the sessions, and asks the user about the keys. */
  async endSessions(userId: number): Promise<EndedCredentials> {
    await this.users.lockForNoKeyUpdate(userId);
    const keys = await this.keys.askToReview(userId, this.clock.now());
    const sessions = await this.endSignIns(userId);
    return this.tell(userId, { reason: 'new_password', keys, sessions, hadSecondFactor: false, invitations: 0 });
  }

  private async endAll(
    userId: number,
    cause: Pick<EndedCredentials, 'reason' | 'hadSecondFactor'>,
  ): Promise<EndedCredentials> {
    const keys = await this.proofs.endKeysInLocked(userId);
    const sessions = await this.endSignIns(userId);
    const invitations = await this.proofs.endInvitationsInLocked(userId);
    this.unitOfWork.afterCommit(() => this.authenticator.clearCache());
    return this.tell(userId, { ...cause, keys, sessions, invitations });
  }

  /** Sessions, and all that would become one. Returns the number of sessions. */
  private async endSignIns(userId: number): Promise<number> {
    await this.proofs.endPasswordLinksInLocked(userId);
    await this.proofs.removeUnconfirmedSecondFactor(userId);
    return this.sessions.endAll(userId);
  }

  private async tell(userId: number, ended: EndedCredentials): Promise<EndedCredentials> {
    const { reason, keys, sessions, hadSecondFactor, invitations } = ended;
    const counts = { keys: keys.length, sessions, second_factor: hadSecondFactor, invitations };
    this.unitOfWork.note({
      metadata: reason === 'new_password' ? { sessions, keys_to_review: keys.length } : { reason, ended: counts },
    });
    await this.mails.add({ kind: 'credentials_ended', userId, ...ended });
    return ended;
  }
}
