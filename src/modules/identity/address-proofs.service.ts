import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { AccessPaths, type Ended } from './access-paths.service';
import { AddressProofsRepository } from './data/address-proofs.repository';
import { MembersRepository } from './data/members.repository';
import { UsersRepository } from './data/users.repository';
import type { EndedCredentials, EndReason } from './domain/ended-credentials';
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
    private readonly users: UsersRepository,
    private readonly members: MembersRepository,
    private readonly paths: AccessPaths,
    private readonly mails: MailQueue,
    private readonly unitOfWork: UnitOfWork,
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
    return this.tell(userId, reason, await this.paths.end('proved', { userId }));
  }

  /** After a new password by a link that an owner handed over. */
  async withdraw(userId: number): Promise<EndedCredentials> {
    await this.members.requireTwoAdminsWithout(userId, null);
    await this.users.lockForNoKeyUpdate(userId);
    await this.proofs.remove(userId);
    return this.tell(userId, 'handed_link', await this.paths.end('withdrawn', { userId }));
  }

  /** After a new password by a link that was sent to the address. The first one proves it; later ones end no keys. */
  async applyMailedLink(userId: number): Promise<EndedCredentials> {
    return (await this.prove(userId, 'proved')) ?? this.endSessions(userId);
  }

  /** Ends the sessions, and asks the user about the keys and identities. */
  async endSessions(userId: number): Promise<EndedCredentials> {
    await this.users.lockForNoKeyUpdate(userId);
    return this.tell(userId, 'new_password', await this.paths.end('new_password', { userId }));
  }

  private async tell(userId: number, reason: EndReason, all: Ended): Promise<EndedCredentials> {
    const of = (name: string): readonly string[] => all.get(name) ?? [];
    const [keys, identities, sessions] = [of('keys'), of('identities'), of('sessions').length];
    const hadSecondFactor = of('app').length + of('passkeys').length > 0;
    const invitations = of('invitations').length;
    const counts = { keys: keys.length, identities: identities.length, sessions };
    this.unitOfWork.note({
      metadata:
        reason === 'new_password'
          ? { sessions, keys_to_review: keys.length, identities_to_review: identities.length }
          : { reason, ended: { ...counts, second_factor: hadSecondFactor, invitations } },
    });
    const ended = { reason, keys, identities, sessions, hadSecondFactor, invitations };
    await this.mails.add({ kind: 'credentials_ended', userId, ...ended });
    return ended;
  }
}
