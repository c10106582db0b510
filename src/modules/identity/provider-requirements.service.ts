import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Config } from '../../platform/config/load-config';
import { portalUrl } from '../../platform/config/portal-address';
import type { MailText } from '../../platform/mail/mailer';
import { MembersRepository } from './data/members.repository';
import { type OwnReach, UsersRepository } from './data/users.repository';
import { breakGlassMail, providerInsteadMail } from './domain/mail-texts';
import { providerRequired } from './domain/provider-sign-in.errors';
import { MailQueue } from './mail-queue';

/** How organizations that require their provider treat users who sign in with a password or a passkey. */
@Injectable()
export class ProviderRequirements {
  constructor(
    private readonly users: UsersRepository,
    private readonly members: MembersRepository,
    private readonly mails: MailQueue,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  /** Refuses a user whose organizations all require their provider. */
  async requireOwnReach(userId: number): Promise<OwnReach[]> {
    const reach = await this.users.listOwnReach(userId);
    const closed = closedIn(reach);
    if (closed !== undefined) throw providerRequired(closed, this.link);
    return reach;
  }

  /** What is sent instead of a link for a new password, which would open nothing. */
  async mailInstead({ id, email }: { readonly id: number; readonly email: string }): Promise<MailText | undefined> {
    const closed = closedIn(await this.users.listOwnReach(id));
    return closed === undefined ? undefined : providerInsteadMail({ to: email, organization: closed, link: this.link });
  }

  /** Part of the unit of work of a sign-in: tells all owners that the break-glass owner came in. */
  async reportBreakGlass(userId: number, reach: readonly OwnReach[]): Promise<void> {
    const entered = reach.filter(({ isBreakGlass }) => isBreakGlass);
    if (entered.length === 0) return;
    const email = (await this.users.find(userId))?.email ?? '';
    for (const { organizationId, name } of entered) {
      await this.unitOfWork.recordPart(
        { operation: 'session.break_glass', resourceType: 'organization', resourceId: String(organizationId) },
        { organizationId, metadata: { user_id: userId } },
      );
      for (const receiver of await this.members.listOwnerIdsOfVisible(organizationId))
        await this.mails.add({ kind: 'message', userId: receiver, organizationId, ...breakGlassMail(email, name) });
    }
  }

  private get link(): string {
    return `${portalUrl(this.config)}/sign-in/organization`;
  }
}

/** The name of the first organization, if the user could reach none. */
const closedIn = (reach: readonly OwnReach[]): string | undefined =>
  reach.every(({ isClosed }) => isClosed) ? reach[0]?.name : undefined;
