import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { conflict, forbidden, notFound } from '../../../kernel/domain-error';
import { orThrow } from '../../../kernel/or-throw';
import type { Caller } from '../../../platform/api/caller';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { MembersService } from '../../identity';
import type { FindingHistory } from '../data/finding-history.entity';
import { isEditable, isWrittenBy } from '../domain/comments';
import { MentionNames } from '../domain/mentions';
import { requireNotMerged } from '../domain/merge';
import { type Markdown, MarkdownRenderer } from '../rendering/markdown-renderer';
import { FindingHistoryRepository } from './data/finding-history.repository';
import { FindingsRepository } from './data/findings.repository';

/** What people write about findings, in Markdown. */
@Injectable()
export class FindingCommentsService {
  constructor(
    private readonly findings: FindingsRepository,
    private readonly history: FindingHistoryRepository,
    private readonly markdown: MarkdownRenderer,
    private readonly members: MembersService,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** That of an agent mentions nobody: what it has read may tell it whom to write to. */
  async comment(caller: Caller, id: number, text: string, byAgent = false): Promise<FindingHistory> {
    const { organizationId, ...rendered } = await this.rendered(caller, id, text);
    const comment = byAgent ? rendered : await this.mentioning(organizationId, rendered);
    const finding = orThrow(await this.findings.lockOne(caller.scope, id), findingNotFound);
    requireNotMerged(finding);
    return this.history.addComment(caller.actor, finding, comment, byAgent);
  }

  async edit(caller: Caller, id: number, commentId: string, text: string): Promise<FindingHistory> {
    // The previous text is left out: it may have been edited because it contained a secret.
    this.unitOfWork.note({ metadata: { comment_id: commentId } });
    const { organizationId, ...rendered } = await this.rendered(caller, id, text);
    const before = orThrow(await this.history.lockComment(caller.scope, id, commentId), () => notFound('Comment'));
    if (!isEditable(before, this.clock.now()))
      throw conflict('A comment can be edited for 15 minutes. Write another one that corrects it.');
    if (!isWrittenBy(before, caller.actor)) throw forbidden('Only its author can edit a comment.');
    const comment = before.byAgent ? rendered : await this.mentioning(organizationId, rendered);
    return this.history.saveComment(before, comment);
  }

  private async rendered(
    caller: Caller,
    id: number,
    text: string,
  ): Promise<Markdown & { readonly organizationId: number }> {
    const organizationId = orThrow(await this.findings.findOrganization(caller.scope, id), findingNotFound);
    this.unitOfWork.note({ organizationId });
    caller.requireRole('member', organizationId);
    return { organizationId, ...(await this.markdown.render(text, caller.tenant, 'comment')) };
  }

  private async mentioning(organizationId: number, { md, html }: Markdown): Promise<Markdown> {
    if (!html.includes('@')) return { md, html };
    return { md, html: new MentionNames(await this.members.listOfVisible(organizationId)).marked(html) };
  }
}

const findingNotFound = () => notFound('Finding');
