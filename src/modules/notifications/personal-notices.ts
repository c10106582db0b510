import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { Work } from '../../platform/work/work';
import type { Entry } from '../feed';
import { type ToldFinding, ToldFindingsRepository } from '../findings';
import { MembersService } from '../identity';
import { ReportsService } from '../reports';
import { RetestsService } from '../retests';
import { type AddedNotices, type NewNotice, PersonalNoticesRepository } from './data/personal-notices.repository';
import { MentionNames } from './domain/mentions';

export const PERSONAL_MAIL_KIND = 'notification.mail';

/** Between two mails of a kind to a member. What comes meanwhile is in the second one. */
export const PAUSE_MS = 600_000;

const ENDED = new Set(['finished', 'error']);

/** Finds out whom the entries of the feed concern, and adds what they are told. */
@Injectable()
export class PersonalNotices {
  constructor(
    private readonly notices: PersonalNoticesRepository,
    private readonly findings: ToldFindingsRepository,
    private readonly retests: RetestsService,
    private readonly reports: ReportsService,
    private readonly members: MembersService,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /** Part of the current transaction. The caller has checked the organization. */
  async addFor(organizationId: number, entries: readonly Entry[]): Promise<void> {
    await this.add(organizationId, [
      ...(await this.assignments(organizationId, entries)),
      ...(await this.mentions(organizationId, entries)),
      ...(await this.endedRetests(organizationId, entries)),
      ...(await this.endedReports(organizationId, entries)),
    ]);
  }

  async addDue(organizationId: number, findings: readonly ToldFinding[]): Promise<void> {
    const notices = findings.flatMap(({ id, assigneeId, dueDate }) =>
      assigneeId === null || dueDate === null ? [] : [noticeOf(assigneeId, 'due_soon', `${id} ${dueDate}`, id)],
    );
    await this.add(organizationId, notices);
  }

  private async add(organizationId: number, notices: readonly NewNotice[]): Promise<void> {
    if (notices.length === 0) return;
    const now = this.clock.now();
    for (const added of await this.notices.add(organizationId, notices, now)) {
      const next = added.lastSent === null ? now : new Date(added.lastSent.getTime() + PAUSE_MS);
      await this.work.enqueue({
        kind: PERSONAL_MAIL_KIND,
        reference: referenceOf(added),
        organizationId,
        ...(next > now && { runAt: next }),
      });
    }
  }

  /** Those who assign a finding to themselves know it. */
  private async assignments(organizationId: number, entries: readonly Entry[]): Promise<NewNotice[]> {
    const assigned = entries.flatMap(({ type, recordId, data, position }) => {
      const userId = type === 'finding.changed' ? changeTo(data, 'assignee_id') : undefined;
      return typeof userId === 'number' ? [{ findingId: Number(recordId), userId, position }] : [];
    });
    const findings = await this.findings.listOfVisible(organizationId, [
      ...new Set(assigned.map((one) => one.findingId)),
    ]);
    const byId = new Map(findings.map((finding) => [finding.id, finding]));
    return assigned
      .filter(({ findingId, userId }) => byId.get(findingId)?.assigneeId === userId)
      .filter(({ findingId, userId }) => byId.get(findingId)?.assignedBy !== userId)
      .map(({ findingId, userId, position }) => noticeOf(userId, 'assigned', String(position), findingId));
  }

  private async mentions(organizationId: number, entries: readonly Entry[]): Promise<NewNotice[]> {
    const ids = entries.flatMap(({ type, data }) => (type === 'finding.commented' ? [String(data['comment_id'])] : []));
    if (ids.length === 0) return [];
    const comments = await this.findings.listCommentsOfVisible(organizationId, ids);
    const withMention = comments.filter(({ comment }) => comment?.includes('@'));
    if (withMention.length === 0) return [];
    const names = new MentionNames(await this.members.listOfVisible(organizationId));
    const notices: NewNotice[] = [];
    for (const { id, findingId, comment, actorId } of withMention) {
      const others = names.mentionedIn(comment ?? '').filter((userId) => String(userId) !== actorId);
      notices.push(...others.map((userId) => noticeOf(userId, 'mentioned', id, findingId)));
      await setImmediate();
    }
    return notices;
  }

  private async endedRetests(organizationId: number, entries: readonly Entry[]): Promise<NewNotice[]> {
    const ended = await this.retests.listStartedOfVisible(organizationId, endedOf('retest.changed', entries));
    return ended.flatMap(({ uuid, findingId, startedBy }) =>
      startedBy === null ? [] : [noticeOf(startedBy, 'done', `retest ${uuid}`, findingId)],
    );
  }

  private async endedReports(organizationId: number, entries: readonly Entry[]): Promise<NewNotice[]> {
    const ids = endedOf('report.changed', entries).map(Number);
    const ended = await this.reports.listStartedOfVisible(organizationId, ids);
    return ended.flatMap(({ id, startedBy }) =>
      startedBy === null ? [] : [noticeOf(startedBy, 'done', `report ${id}`)],
    );
  }
}

const noticeOf = (
  userId: number,
  kind: NewNotice['kind'],
  reference: string,
  findingId: number | null = null,
): NewNotice => ({ userId, kind, reference, findingId });

const endedOf = (wanted: string, entries: readonly Entry[]): string[] =>
  entries.flatMap(({ type, recordId, data }) =>
    type === wanted && ENDED.has(String(changeTo(data, 'status'))) ? [recordId] : [],
  );

/** What a field of the record became. */
const changeTo = (data: Entry['data'], field: string): unknown =>
  (data['changed'] as Record<string, { readonly to: unknown }> | undefined)?.[field]?.to;

/** Work of its own for each addition: work that has begun may have taken what waited already. */
const referenceOf = ({ organizationId, userId, kind, id }: AddedNotices): string =>
  `${organizationId} ${userId} ${kind} ${id}`;
