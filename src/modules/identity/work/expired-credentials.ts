import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { TenantTurns } from '../../../platform/work/tenant-turns';
import { everything } from '../../../platform/api/scope';
import { Scheduled } from '../../../platform/work/work-handler';
import { InvitationsRepository } from '../data/invitations.repository';
import { MailedPasswordResetsRepository } from '../data/mailed-password-resets.repository';
import { MailsRepository } from '../data/mails.repository';
import { PasswordResetsRepository } from '../data/password-resets.repository';
import { SignInChallengesRepository } from '../data/sign-in-challenges.repository';
import { SessionsService } from '../sessions.service';

/** How long an owner still sees an invitation that has ended. */
const INVITATIONS_KEPT_MS = 30 * 24 * 3_600_000;

/** A mail is older only if its work was lost, such as with a restored backup. */
const MAILS_KEPT_MS = 7 * 24 * 3_600_000;

const scope = everything('the links of all organizations expire');

/** Deletes sessions and links that have expired. Invitations contain e-mail addresses, so they are not kept for long. */
@Injectable()
export class ExpiredCredentials {
  constructor(
    private readonly sessions: SessionsService,
    private readonly challenges: SignInChallengesRepository,
    private readonly invitations: InvitationsRepository,
    private readonly resets: PasswordResetsRepository,
    private readonly mailedResets: MailedPasswordResetsRepository,
    private readonly mails: MailsRepository,
    private readonly turns: TenantTurns,
    private readonly clock: Clock,
  ) {}

  @Scheduled({ name: 'identity.expired_credentials', everySeconds: 3_600 })
  async run(): Promise<void> {
    const now = this.clock.now();
    await this.sessions.deleteExpired();
    await this.challenges.deleteExpiredBefore(now);
    await this.mailedResets.deleteExpiredBefore(now);
    await this.mails.deleteCreatedBefore(new Date(now.getTime() - MAILS_KEPT_MS));
    await this.turns.sweep('identity.expired_credentials', scope, async (part) => {
      await this.resets.deleteExpiredBefore(part, now);
      await this.invitations.deleteExpiredBefore(part, new Date(now.getTime() - INVITATIONS_KEPT_MS));
      return 0;
    });
  }
}
