import { Injectable } from '@nestjs/common';
import { dayOf } from '../../kernel/day';
import { isAtLeast } from '../../kernel/role';
import { EventsService } from '../events';
import type { Entry } from '../feed';
import { mentionedIn, NotifiedFindingsRepository } from '../findings';
import { type Member, MembersService } from '../identity';
import { NotifiedJobsRepository } from '../jobs';
import { ReportsService } from '../reports';
import { RetestsService } from '../retests';
import type { NewNotice } from './data/personal-notices.repository';

const ENDED = new Set(['finished', 'error', 'FINISHED', 'ERROR']);

/** Finds out whom the entries of the feed concern. Nobody gets a notice of what they did themselves. */
@Injectable()
export class ConcernedPeople {
  constructor(
    private readonly findings: NotifiedFindingsRepository,
    private readonly retests: RetestsService,
    private readonly reports: ReportsService,
    private readonly jobs: NotifiedJobsRepository,
    private readonly events: EventsService,
    private readonly members: MembersService,
  ) {}

  /** They may have left. The caller has checked the organization. */
  async noticesOf(organizationId: number, entries: readonly Entry[]): Promise<NewNotice[]> {
    return [
      ...(await this.assignments(organizationId, entries)),
      ...(await this.mentions(organizationId, entries)),
      ...(await this.verdicts(organizationId, entries)),
      ...(await this.endedReports(organizationId, entries)),
      ...(await this.redGates(organizationId, entries)),
      ...(await this.unprovedAccounts(organizationId, entries)),
    ];
  }

  /** A user who assigns a finding to themselves gets no notice. */
  private async assignments(organizationId: number, entries: readonly Entry[]): Promise<NewNotice[]> {
    const assigned = entries.flatMap(({ type, recordId, data, position }) => {
      const userId = type === 'finding.changed' ? changeTo(data, 'assignee_id') : undefined;
      return typeof userId === 'number' ? [{ findingId: Number(recordId), userId, position }] : [];
    });
    if (assigned.length === 0) return [];
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
    return comments.flatMap(({ id, findingId, html, actorId }) =>
      mentionedIn(html ?? '')
        .filter((userId) => String(userId) !== actorId)
        .map((userId) => noticeOf(userId, 'mentioned', id, findingId)),
    );
  }

  /** The end of a retest is for its starter, and its verdict for the followers of the finding, but not for the user who gave it. */
  private async verdicts(organizationId: number, entries: readonly Entry[]): Promise<NewNotice[]> {
    const ended = new Set(endedOf('retest.changed', entries));
    const again = new Set(lookedAgainOf(entries));
    if (ended.size + again.size === 0) return [];
    const retests = await this.retests.listStartedOfVisible(organizationId, [...new Set([...ended, ...again])]);
    const ids = [...new Set(retests.map(({ findingId }) => findingId))];
    const followers = await this.findings.listFollowersOfVisible(organizationId, ids);
    return retests.flatMap(({ uuid, findingId, result, startedBy, judgedBy }) => {
      const following = followers.filter((one) => one.findingId === findingId).map(({ userId }) => userId);
      const others = following.filter((userId) => userId !== startedBy && userId !== judgedBy);
      const noticesFor = (kind: NewNotice['kind'], reference: string, userIds: readonly (number | null)[]) =>
        userIds.flatMap((userId) => (userId === null ? [] : [noticeOf(userId, kind, reference, findingId)]));
      return [
        ...noticesFor('done', `retest ${uuid}`, ended.has(uuid) && startedBy !== judgedBy ? [startedBy] : []),
        ...noticesFor('verdict', `retest ${uuid}`, ended.has(uuid) && result !== null ? others : []),
        ...noticesFor('verdict', `second_look ${uuid}`, again.has(uuid) ? [...new Set([...following, startedBy])] : []),
      ];
    });
  }

  private async endedReports(organizationId: number, entries: readonly Entry[]): Promise<NewNotice[]> {
    const ids = endedOf('report.changed', entries).map(Number);
    if (ids.length === 0) return [];
    const ended = await this.reports.listStartedOfVisible(organizationId, ids);
    return ended.flatMap(({ id, startedBy }) =>
      startedBy === null ? [] : [noticeOf(startedBy, 'done', `report ${id}`)],
    );
  }

  /** One notice for each of the user's own scans, and one a day for the scans of others in the user's own event. */
  private async redGates(organizationId: number, entries: readonly Entry[]): Promise<NewNotice[]> {
    const ended = endedOf('job.changed', entries);
    if (ended.length === 0) return [];
    const jobs = new Map((await this.jobs.listOfVisible(organizationId, ended)).map((job) => [job.uuid, job]));
    const red = ended
      .flatMap((uuid) => jobs.get(uuid) ?? [])
      .filter(({ gate }) => gate === 'failed' || gate === 'incomplete');
    if (red.length === 0) return [];
    const eventIds = [...new Set(red.flatMap(({ eventId }) => eventId ?? []))];
    const events = await this.events.listNotifiedOfVisible(organizationId, eventIds);
    const makers = new Map(events.map(({ id, startedBy }) => [id, startedBy]));
    const days = new Map(entries.map(({ recordId, at }) => [recordId, dayOf(at)]));
    const noticesFor = (userId: number | null, reference: string): NewNotice[] =>
      userId === null ? [] : [noticeOf(userId, 'gate', reference)];
    return red.flatMap(({ uuid, eventId, startedBy }) => {
      const maker = makers.get(eventId ?? 0) ?? null;
      const ofEvent = `event ${eventId} ${days.get(uuid)}`;
      return [...noticesFor(startedBy, `job ${uuid}`), ...noticesFor(maker === startedBy ? null : maker, ofEvent)];
    });
  }

  /** Nobody waits for what schedules, events and the service start: once a day for each account, for the admins. */
  private async unprovedAccounts(organizationId: number, entries: readonly Entry[]): Promise<NewNotice[]> {
    const jobs = endedOf('job.changed', entries);
    const retests = [...new Set([...endedOf('retest.changed', entries), ...lookedAgainOf(entries)])];
    const unproved = [
      ...(jobs.length === 0 ? [] : await this.jobs.listOfVisible(organizationId, jobs)),
      ...(retests.length === 0 ? [] : await this.retests.listStartedOfVisible(organizationId, retests)),
    ];
    const days = new Map(entries.map(({ recordId, at }) => [recordId, dayOf(at)]));
    const references = unproved
      .filter(({ startedBy }) => startedBy === null)
      .flatMap((one) => [one.unproved ?? []].flat().map((id) => `account ${id} unproved ${days.get(one.uuid)}`));
    if (references.length === 0) return [];
    const members = await this.members.listOfVisible(organizationId);
    return adminsAmong(members).flatMap((userId) => references.map((one) => noticeOf(userId, 'account', one)));
  }
}

export const adminsAmong = (members: readonly Member[]): number[] =>
  members.filter(({ role }) => isAtLeast(role, 'admin')).map(({ userId }) => userId);

export const noticeOf = (
  userId: number,
  kind: NewNotice['kind'],
  reference: string,
  findingId: number | null = null,
): NewNotice => ({ userId, kind, reference, findingId });

const endedOf = (wanted: string, entries: readonly Entry[]): string[] =>
  entries.flatMap(({ type, recordId, data }) =>
    type === wanted && ENDED.has(String(changeTo(data, 'status'))) ? [recordId] : [],
  );

const lookedAgainOf = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ type, recordId, data }) =>
    type === 'retest.changed' && changeTo(data, 'second_look_result') != null ? [recordId] : [],
  );

/** What a field of the record became. */
const changeTo = (data: Entry['data'], field: string): unknown =>
  (data['changed'] as Record<string, { readonly to: unknown }> | undefined)?.[field]?.to;
