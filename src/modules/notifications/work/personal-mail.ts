import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Mailer } from '../../../platform/mail/mailer';
import type { Claim } from '../../../platform/work/claim';
import { Work } from '../../../platform/work/work';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { workAudit } from '../../../platform/work/work-audit';
import type { PersonalNotice } from '../data/personal-notice.entity';
import { type Addressee, PersonalNoticesRepository } from '../data/personal-notices.repository';
import type { MailKind } from '../domain/mail-kinds';
import { PAUSE_MS, PERSONAL_MAIL_KIND } from '../personal-notices';
import { PersonalMessages } from '../personal-messages';

/** The most notices in one mail. The next mail has the others. */
const PORTION = 2_000;

/**
 * Sends a member all waiting notices of a kind in one mail. It takes the notices before it sends: an attempt that is lost while it
 * sends is not repeated, because the mail may have arrived.
 */
@Injectable()
@WorkKind(PERSONAL_MAIL_KIND)
export class PersonalMail implements WorkHandler {
  constructor(
    private readonly notices: PersonalNoticesRepository,
    private readonly messages: PersonalMessages,
    private readonly mailer: Mailer,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async perform(claim: Claim): Promise<Completion> {
    const addressee = addresseeOf(claim.reference);
    const taken = await this.notices.take(addressee, this.clock.now(), PORTION);
    const mail = taken.length === 0 ? undefined : await this.messages.mailFor(addressee, taken);
    if (mail !== undefined) {
      await this.mailer.send(mail).catch(async (error: unknown) => {
        await this.notices.giveBack(
          addressee.organizationId,
          taken.map(({ id }) => id),
        );
        throw error;
      });
    }
    const { audit } = completion(claim, { sent: mail !== undefined });
    const last = taken.length === PORTION ? taken.at(-1) : undefined;
    const apply = async (): Promise<void> => {
      if (last !== undefined) await this.continueAfter(claim, last);
      await this.notices.removeOldest(addressee.organizationId, [addressee.userId]);
    };
    return { audit, apply };
  }

  private async continueAfter({ reference }: Claim, { id, organizationId }: PersonalNotice): Promise<void> {
    const { userId, kind } = addresseeOf(reference);
    await this.work.enqueue({
      kind: PERSONAL_MAIL_KIND,
      reference: `${organizationId} ${userId} ${kind} after ${id}`,
      organizationId,
      runAt: new Date(this.clock.now().getTime() + PAUSE_MS),
    });
  }

  abandon(claim: Claim, reason: string): Completion {
    const { audit, apply } = completion(claim, { error: reason });
    return { audit: { ...audit, outcome: 'failure' }, apply };
  }
}

function addresseeOf(reference: string): Addressee {
  const [organizationId, userId, kind] = reference.split(' ');
  return { organizationId: Number(organizationId), userId: Number(userId), kind: kind as MailKind };
}

function completion(claim: Claim, metadata: Record<string, unknown>): Completion {
  const { userId: user_id, kind } = addresseeOf(claim.reference);
  const audit = workAudit(claim, {
    operation: 'mail.send',
    resourceType: 'mail',
    metadata: { user_id, kind, ...metadata },
  });
  return { audit, apply: async () => undefined };
}
