import { Injectable } from '@nestjs/common';
import { NotifiedAccountsRepository } from '../accounts';
import { EventsService } from '../events';
import { NotifiedFindingsRepository } from '../findings';
import { IdentityService } from '../identity';
import { NotifiedJobsRepository } from '../jobs';
import { ReportsService } from '../reports';
import { RetestsService } from '../retests';
import type { PersonalNotice } from './data/personal-notice.entity';
import { itemOf, partsOf, type PersonalItem } from './personal-item';

/** What the inbox and the mail of a member list, with the records as they are now. */
@Injectable()
export class PersonalItems {
  constructor(
    private readonly identity: IdentityService,
    private readonly findings: NotifiedFindingsRepository,
    private readonly retests: RetestsService,
    private readonly reports: ReportsService,
    private readonly jobs: NotifiedJobsRepository,
    private readonly events: EventsService,
    private readonly accounts: NotifiedAccountsRepository,
  ) {}

  /** In the order of the notices. The caller has checked the organization. */
  async listFor(organizationId: number, notices: readonly PersonalNotice[]): Promise<PersonalItem[]> {
    const idsOf = (...words: string[]): string[] =>
      notices.map(partsOf).flatMap(([word, id]) => (words.includes(word) ? [id] : []));
    const findingIds = notices.flatMap(({ findingId }) => findingId ?? []);
    const commentIds = notices.flatMap(({ kind, reference }) => (kind === 'mentioned' ? [reference] : []));
    const uuids = idsOf('retest', 'second_look');
    const findings = await found(findingIds, (ids) => this.findings.listOfVisible(organizationId, ids), byId);
    const comments = await found(commentIds, (ids) => this.findings.listCommentsOfVisible(organizationId, ids), byId);
    const users = [
      ...[...findings.values()].flatMap(({ assignedBy }) => assignedBy ?? []),
      ...[...comments.values()].map(({ actorId }) => Number(actorId)),
    ];
    const records = {
      findings,
      comments,
      retests: await found(uuids, (ids) => this.retests.listStartedOfVisible(organizationId, ids), byUuid),
      reports: await found(
        idsOf('report').map(Number),
        (ids) => this.reports.listStartedOfVisible(organizationId, ids),
        byId,
      ),
      jobs: await found(idsOf('job'), (ids) => this.jobs.listOfVisible(organizationId, ids), byUuid),
      events: await found(
        idsOf('event').map(Number),
        (ids) => this.events.listNotifiedOfVisible(organizationId, ids),
        byId,
      ),
      accounts: await found(
        idsOf('account').map(Number),
        (ids) => this.accounts.listOfVisible(organizationId, ids),
        byId,
      ),
      names: users.length === 0 ? new Map<number, string>() : await this.identity.displayNamesOfVisible(users),
    };
    return notices.map((notice) => itemOf(notice, records));
  }
}

const byId = ({ id }: { readonly id: number | string }): string => String(id);
const byUuid = ({ uuid }: { readonly uuid: string }): string => uuid;

async function found<Id, T>(
  ids: readonly Id[],
  list: (ids: Id[]) => Promise<T[]>,
  keyOf: (one: T) => string,
): Promise<ReadonlyMap<string, T>> {
  const records = ids.length === 0 ? [] : await list([...new Set(ids)]);
  return new Map(records.map((one) => [keyOf(one), one]));
}
