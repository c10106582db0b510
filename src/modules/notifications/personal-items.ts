import { Injectable } from '@nestjs/common';
import { type ToldFinding, ToldFindingsRepository } from '../findings';
import { IdentityService } from '../identity';
import { ReportsService } from '../reports';
import { RetestsService } from '../retests';
import type { PersonalNotice } from './data/personal-notice.entity';
import type { PortalLinks } from './domain/links';
import type { MailKind } from './domain/mail-kinds';
import { itemOfFinding, type MessageItem } from './domain/message';

const RESULTS = {
  fixed: 'The retest says: fixed',
  still_vulnerable: 'The retest says: still vulnerable',
  inconclusive: 'The retest could not tell',
  blocked: 'The retest was refused',
} as const;

export interface ItemContext {
  readonly organizationId: number;
  readonly links: PortalLinks;
  readonly showsTitle: boolean;
}

/** What the mail to a member lists, with the findings as they are now. */
@Injectable()
export class PersonalItems {
  constructor(
    private readonly identity: IdentityService,
    private readonly findings: ToldFindingsRepository,
    private readonly retests: RetestsService,
    private readonly reports: ReportsService,
  ) {}

  /** None of what is no longer true. */
  async listFor(
    kind: MailKind,
    userId: number,
    notices: readonly PersonalNotice[],
    context: ItemContext,
  ): Promise<MessageItem[]> {
    const ids = notices.flatMap(({ findingId }) => (findingId === null ? [] : [findingId]));
    const findings = await this.findings.listOfVisible(context.organizationId, ids);
    const own = findings.filter(({ assigneeId }) => assigneeId === userId);
    if (kind === 'assigned') return this.assigned(own, context);
    if (kind === 'due_soon')
      return own.filter(isOpenAndDue).map((finding) => itemOf(finding, context, `Due on ${finding.dueDate}`));
    if (kind === 'mentioned') return findings.map((finding) => itemOf(finding, context));
    return [...(await this.endedRetests(findings, notices, context)), ...(await this.endedReports(notices, context))];
  }

  private async assigned(findings: readonly ToldFinding[], context: ItemContext): Promise<MessageItem[]> {
    const names = await this.identity.displayNamesOfVisible(findings.flatMap(({ assignedBy }) => assignedBy ?? []));
    return findings.map((finding) => {
      const name = names.get(finding.assignedBy ?? 0);
      return itemOf(finding, context, ...(name === undefined ? [] : [`By ${name}`]));
    });
  }

  private async endedRetests(
    findings: readonly ToldFinding[],
    notices: readonly PersonalNotice[],
    context: ItemContext,
  ): Promise<MessageItem[]> {
    const byId = new Map(findings.map((finding) => [finding.id, finding]));
    const retests = await this.retests.listStartedOfVisible(context.organizationId, idsIn(notices, 'retest'));
    return retests.flatMap(({ findingId, result }) => {
      const finding = byId.get(findingId);
      return finding === undefined
        ? []
        : [itemOf(finding, context, result === null ? 'The retest could not run' : RESULTS[result])];
    });
  }

  private async endedReports(
    notices: readonly PersonalNotice[],
    { organizationId, links }: ItemContext,
  ): Promise<MessageItem[]> {
    const ids = idsIn(notices, 'report').map(Number);
    return (await this.reports.listStartedOfVisible(organizationId, ids)).map(({ id, error }) => ({
      severity: null,
      title: `Report ${id}`,
      facts: [error === null ? 'It can be downloaded' : 'It could not be generated'],
      link: links.report(id),
    }));
  }
}

const itemOf = (finding: ToldFinding, { links, showsTitle }: ItemContext, ...news: string[]): MessageItem =>
  itemOfFinding(finding, { showsTitle, link: links.finding(finding.id), news });

const isOpenAndDue = ({ status, dueDate }: ToldFinding): boolean => status <= 4 && dueDate !== null;

const idsIn = (notices: readonly PersonalNotice[], kind: 'retest' | 'report'): string[] =>
  notices.flatMap(({ reference }) => (reference.startsWith(`${kind} `) ? [reference.slice(kind.length + 1)] : []));
