import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { Mailer } from '../../platform/mail/mailer';
import { Work } from '../../platform/work/work';
import type { NotifiedAccount } from '../accounts';
import type { Entry } from '../feed';
import type { NotifiedFinding } from '../findings';
import { MembersService } from '../identity';
import { adminsAmong, ConcernedPeople, noticeOf } from './concerned-people';
import { MailPreferencesRepository } from './data/mail-preferences.repository';
import { type AddedNotices, type NewNotice, PersonalNoticesRepository } from './data/personal-notices.repository';

export const PERSONAL_MAIL_KIND = 'notification.mail';

/** The pause between two mails of a kind to a member. The second one has what came meanwhile. */
export const PAUSE_MS = 600_000;

/** Adds what concerns members to their inboxes, and the mail that they want about it. */
@Injectable()
export class PersonalNotices {
  constructor(
    private readonly people: ConcernedPeople,
    private readonly notices: PersonalNoticesRepository,
    private readonly preferences: MailPreferencesRepository,
    private readonly members: MembersService,
    private readonly mailer: Mailer,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /** Part of the current transaction. The caller has checked the organization. */
  async addFor(organizationId: number, entries: readonly Entry[]): Promise<void> {
    await this.add(organizationId, await this.people.noticesOf(organizationId, entries));
  }

  async addDue(organizationId: number, findings: readonly NotifiedFinding[]): Promise<void> {
    const notices = findings.flatMap(({ id, assigneeId, dueDate }) =>
      assigneeId === null || dueDate === null ? [] : [noticeOf(assigneeId, 'due_soon', `${id} ${dueDate}`, id)],
    );
    await this.add(organizationId, notices);
  }

  /** For the admins, once for each last day. */
  async addExpiring({ organizationId, id, expires }: NotifiedAccount): Promise<void> {
    const admins = adminsAmong(await this.members.listOfVisible(organizationId));
    const reference = `account ${id} expires ${expires}`;
    await this.add(
      organizationId,
      admins.map((userId) => noticeOf(userId, 'account', reference)),
    );
  }

  /** Fails if a member leaves meanwhile; the next attempt leaves that user out. */
  private async add(organizationId: number, notices: readonly NewNotice[]): Promise<void> {
    if (notices.length === 0) return;
    const now = this.clock.now();
    const concerned = [...new Set(notices.map(({ userId }) => userId))];
    const members = (await this.members.listOfVisible(organizationId, concerned)).map(({ userId }) => userId);
    const kinds = await this.preferences.listOfVisible(organizationId, members);
    const isMailed = ({ userId, kind }: NewNotice): boolean =>
      this.mailer.isEnabled && (kinds.get(userId)?.includes(kind) ?? false);
    const rows = notices
      .filter(({ userId }) => members.includes(userId))
      .map((notice) => ({ ...notice, taken: isMailed(notice) ? null : now }));
    if (rows.length === 0) return;
    for (const added of await this.notices.add(organizationId, rows, now)) {
      const next = added.lastSent === null ? now : new Date(added.lastSent.getTime() + PAUSE_MS);
      await this.work.enqueue({
        kind: PERSONAL_MAIL_KIND,
        reference: referenceOf(added),
        organizationId,
        ...(next > now && { runAt: next }),
      });
    }
    await this.notices.removeOldest(organizationId, members);
  }
}

/** New work for each addition, because running work may already have taken the waiting notices. */
const referenceOf = ({ organizationId, userId, kind, id }: AddedNotices): string =>
  `${organizationId} ${userId} ${kind} ${id}`;
