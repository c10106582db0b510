import { Injectable } from '@nestjs/common';
import { Mailer, type MailText } from '../../../platform/mail/mailer';
import type { Claim } from '../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { workAudit } from '../../../platform/work/work-audit';
import { UsersRepository } from '../data/users.repository';
import type { EndedCredentials } from '../domain/ended-credentials';
import { credentialsEndedMail, invitationMail } from '../domain/mail-texts';
import { MAIL_KIND, MailQueue, type MailDraft } from '../mail-queue';
import { PasswordResetsService } from '../password-resets.service';

/** Sends waiting mail. After a lost answer of the mail server, a mail may arrive twice. */
@Injectable()
@WorkKind(MAIL_KIND)
export class MailDelivery implements WorkHandler {
  constructor(
    private readonly queue: MailQueue,
    private readonly mailer: Mailer,
    private readonly resets: PasswordResetsService,
    private readonly users: UsersRepository,
  ) {}

  async perform(claim: Claim): Promise<Completion> {
    const draft = await this.queue.find(Number(claim.reference));
    const mail = draft && (await this.textOf(draft));
    if (mail !== undefined) await this.mailer.send(mail);
    return this.completion(claim, { kind: draft?.kind, sent: mail !== undefined });
  }

  abandon(claim: Claim, reason: string): Completion {
    const { audit, apply } = this.completion(claim, { error: reason });
    return { audit: { ...audit, outcome: 'failure' }, apply };
  }

  /** Undefined if nothing is to be sent. */
  private async textOf(draft: MailDraft): Promise<MailText | undefined> {
    if (draft.kind === 'password_reset') return this.resets.mailFor(draft.foldedEmail);
    if (draft.kind === 'message') return this.messageFor(draft);
    if (draft.kind === 'credentials_ended') return this.endedMailFor(draft);
    if (draft.kind === 'notice') return this.noticeFor(draft);
    return invitationMail({ ...draft, expires: new Date(draft.expires) });
  }

  private async messageFor(draft: MailDraft & { kind: 'message' }): Promise<MailText | undefined> {
    const { userId, organizationId, subject, text } = draft;
    const [user] = await this.users.listNamesOfVisible([userId]);
    const isMember = await this.users.canAccessOrganization(userId, organizationId);
    return user !== undefined && isMember ? { to: user.email, subject, text } : undefined;
  }

  private async noticeFor({ userId, subject, text }: MailDraft & { kind: 'notice' }): Promise<MailText | undefined> {
    const [user] = await this.users.listNamesOfVisible([userId]);
    return user && { to: user.email, subject, text };
  }

  private async endedMailFor({
    userId,
    ...ended
  }: EndedCredentials & { userId: number }): Promise<MailText | undefined> {
    const [user] = await this.users.listNamesOfVisible([userId]);
    return user && credentialsEndedMail(user.email, ended);
  }

  private completion(claim: Claim, metadata: Record<string, unknown>): Completion {
    return {
      audit: workAudit(claim, { operation: MAIL_KIND, resourceType: 'mail', metadata }),
      apply: () => this.queue.remove(Number(claim.reference)),
    };
  }
}
