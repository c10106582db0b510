import { Body, Controller, Param, Post } from '@nestjs/common';
import {
  type FindingChange,
  FindingChangesService,
  FindingCommentsService,
  FindingMergesService,
  FindingsService,
  type LockedFinding,
  parseCommentId,
} from '../../modules/findings';
import { SeeOther, type Undo } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { Changes, PostChange } from '../http/route-metadata';
import { findingUrl } from '../urls';
import {
  AssigneeForm,
  CommentForm,
  DueDateForm,
  LabelsForm,
  MergeForm,
  SeparateForm,
  UnsafeForm,
} from './finding-fields.requests';
import { requireCheck, requireFields, versionOfFields } from './finding-versions';

const change = { operation: 'finding.change', resource: 'finding', id: 'finding_id' } as const;

/** The small forms of a finding's page. */
@Controller('o/:organization/findings/:finding_id')
export class FindingFieldsController {
  constructor(
    private readonly findings: FindingsService,
    private readonly changes: FindingChangesService,
    private readonly comments: FindingCommentsService,
    private readonly merges: FindingMergesService,
  ) {}

  @Post('assignee')
  @Changes(change)
  changeAssignee(
    @InOrganization() place: Place<'finding'>,
    @Body() { assignee_id: assigneeId, version }: AssigneeForm,
  ): Promise<SeeOther> {
    return this.change(place, 'assignee', version, { assigneeId: assigneeId ?? null }, (before) => ({
      assignee_id: String(before.assigneeId ?? ''),
    }));
  }

  @Post('due-date')
  @Changes(change)
  changeDueDate(
    @InOrganization() place: Place<'finding'>,
    @Body() { due_date: dueDate, version, isByHand: dueByHand }: DueDateForm,
  ): Promise<SeeOther> {
    return this.change(place, 'due-date', version, { dueDate: dueDate ?? null, dueByHand }, (before) => ({
      due_date: before.dueDate ?? '',
      by_hand: String(before.dueByHand),
    }));
  }

  @Post('labels')
  @Changes(change)
  changeLabels(
    @InOrganization() place: Place<'finding'>,
    @Body() { list: labels, version }: LabelsForm,
  ): Promise<SeeOther> {
    return this.change(place, 'labels', version, { labels }, (before) => ({ labels: before.labels.join(', ') }));
  }

  @Post('unsafe')
  @Changes(change)
  async allowUnsafe(
    @InOrganization() { caller, organizationId, finding }: Place<'finding'>,
    @Body() { isAllowed: allowUnsafe, version }: UnsafeForm,
  ): Promise<SeeOther> {
    await this.changes.changeVisible(caller, finding, { allowUnsafe }, requireCheck(version));
    return new SeeOther(findingUrl(organizationId, finding.id));
  }

  @PostChange('comments', { operation: 'finding.comment', resource: 'finding', id: 'finding_id' })
  async comment(
    @InOrganization() { caller, organizationId, finding: { id } }: Place<'finding'>,
    @Body() { comment }: CommentForm,
  ): Promise<SeeOther> {
    const { id: commentId } = await this.comments.comment(caller, id, comment);
    return new SeeOther(`${findingUrl(organizationId, id)}#comment-${commentId}`);
  }

  @PostChange('comments/:comment_id', { operation: 'finding.comment_edit', resource: 'finding', id: 'finding_id' })
  async editComment(
    @InOrganization() { caller, organizationId, finding: { id } }: Place<'finding'>,
    @Param('comment_id') commentId: string,
    @Body() { comment }: CommentForm,
  ): Promise<SeeOther> {
    const edited = await this.comments.edit(caller, id, parseCommentId(commentId), comment);
    return new SeeOther(`${findingUrl(organizationId, id)}#comment-${edited.id}`);
  }

  @PostChange('merge', { operation: 'finding.merge', resource: 'finding' })
  async merge(
    @InOrganization() { caller, organizationId, finding: { id } }: Place<'finding'>,
    @Body() { into }: MergeForm,
  ): Promise<SeeOther> {
    await this.findings.requireInOrganization(caller.scope, into, organizationId);
    await this.merges.merge(caller, into, [id]);
    return new SeeOther(findingUrl(organizationId, into));
  }

  @PostChange('separate', { operation: 'finding.separate', resource: 'finding', id: 'finding_id' })
  async separate(
    @InOrganization() { caller, organizationId, finding: { id } }: Place<'finding'>,
    @Body() { finding }: SeparateForm,
  ): Promise<SeeOther> {
    await this.merges.separate(caller, id, [finding]);
    return new SeeOther(findingUrl(organizationId, finding));
  }

  /** Leads to the page, which can take the change back. */
  private async change(
    { caller, organizationId, finding }: Place<'finding'>,
    form: 'assignee' | 'due-date' | 'labels',
    version: string | undefined,
    { dueByHand, ...fields }: FindingChange,
    formOf: (before: LockedFinding) => Undo['fields'],
  ): Promise<SeeOther> {
    const required = requireFields(fields, version);
    const before = await this.changes.changeVisible(caller, finding, { ...fields, dueByHand }, required);
    const url = findingUrl(organizationId, finding.id);
    return new SeeOther(url, `The ${form.replace('-', ' ')} ${form === 'labels' ? 'were' : 'was'} changed.`, {
      action: `${url}/${form}`,
      fields: { ...formOf(before), version: versionOfFields(fields) },
    });
  }
}
