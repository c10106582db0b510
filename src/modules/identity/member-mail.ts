import { Injectable } from '@nestjs/common';
import { isAtLeast } from '../../kernel/role';
import { Callers } from './callers.service';
import { MembersRepository } from './data/members.repository';
import { MailQueue, type MessageText } from './mail-queue';

/** Mail to members of organizations about what concerns them. */
@Injectable()
export class MemberMail {
  constructor(
    private readonly queue: MailQueue,
    private readonly members: MembersRepository,
    private readonly callers: Callers,
  ) {}

  /** To this user if still an admin, otherwise to all admins and owners `but` one. Part of the current transaction. */
  async addToAdmins(organizationId: number, userId: number, text: MessageText, but?: number): Promise<void> {
    if (!this.queue.isEnabled) return;
    const role = await this.callers.roleIn(userId, organizationId);
    const isAdmin = role !== undefined && isAtLeast(role, 'admin');
    const receivers = isAdmin ? [userId] : await this.members.listAdminIdsOfVisible(organizationId);
    for (const receiver of receivers.filter((id) => id !== but))
      await this.queue.add({ kind: 'message', userId: receiver, organizationId, ...text });
  }
}
