import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { ScheduledTask } from '../../../platform/work/work-handler';
import { WorkRegistry } from '../../../platform/work/work-registry';
import { InvitationsRepository } from '../data/invitations.repository';
import { MailedPasswordResetsRepository } from '../data/mailed-password-resets.repository';
import { MailsRepository } from '../data/mails.repository';
import { PasswordResetsRepository } from '../data/password-resets.repository';
import { SessionsService } from '../sessions.service';

/** How long an owner still sees what became of an invitation. */
const INVITATIONS_KEPT_MS = 30 * 24 * 3_600_000;

/** A mail is older only if its work was lost, such as with a restored backup. */
const MAILS_KEPT_MS = 7 * 24 * 3_600_000;

/** Deletes sessions and links that have expired. Invitations contain e-mail addresses, so they are not kept for long. */
@Injectable()
export class ExpiredCredentials implements ScheduledTask, OnModuleInit {
  readonly name = 'identity.expired_credentials';
  readonly everySeconds = 3_600;

  constructor(
    private readonly sessions: SessionsService,
    private readonly invitations: InvitationsRepository,
    private readonly resets: PasswordResetsRepository,
    private readonly mailedResets: MailedPasswordResetsRepository,
    private readonly mails: MailsRepository,
    private readonly registry: WorkRegistry,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.registry.schedule(this);
  }

  async run(): Promise<void> {
    const now = this.clock.now();
    await this.sessions.deleteExpired();
    await this.resets.deleteExpiredBefore(now);
    await this.mailedResets.deleteExpiredBefore(now);
    await this.mails.deleteCreatedBefore(new Date(now.getTime() - MAILS_KEPT_MS));
    await this.invitations.deleteExpiredBefore(new Date(now.getTime() - INVITATIONS_KEPT_MS));
  }
}
