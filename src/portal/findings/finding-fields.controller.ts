import { Body, Controller, Post } from '@nestjs/common';
import {
  type FindingChange,
  FindingChangesService,
  FindingMergesService,
  FindingsService,
  type LockedFinding,
} from '../../modules/findings';
import { SeeOther, type Undo } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { Changes } from '../http/route-metadata';
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
import { requireCheck, requireFields, versionOf } from './finding-versions';

const change = { operation: 'finding.change', resource: 'finding', id: 'finding_id' } as const;

/** The small forms of a finding's page. */
@Controller('o/:organization/findings/:finding_id')
export class FindingFieldsController {
  constructor(
    private readonly findings: FindingsService,
    private readonly changes: FindingChangesService,
    private readonly merges: FindingMergesService,
  ) {}

  @Post('assignee')
  @Changes(change)
  async changeAssignee(
    @InOrganization() place: Place<'finding'>,
    @Body() { assignee_id: assigneeId, version }: AssigneeForm,
  ): Promise<SeeOther> {
    const change = { assigneeId: assigneeId ?? null };
    const before = await this.change(place, change, version);
    return this.changed(place, 'assignee', 'The assignee was changed.', {
      assignee_id: String(before.assigneeId ?? ''),
      version: versionOf(change.assigneeId),
    });
  }

  @Post('due-date')
  @Changes(change)
  async changeDueDate(
    @InOrganization() place: Place<'finding'>,
    @Body() { due_date: dueDate, version, isByHand }: DueDateForm,
  ): Promise<SeeOther> {
    const change = { dueDate: dueDate ?? null };
    const before = await this.change(place, change, version, isByHand);
    return this.changed(place, 'due-date', 'The due date was changed.', {
      due_date: before.dueDate ?? '',
      by_hand: String(before.dueByHand),
      version: versionOf(change.dueDate),
    });
  }

  @Post('labels')
  @Changes(change)
  async changeLabels(
    @InOrganization() place: Place<'finding'>,
    @Body() { list: labels, version }: LabelsForm,
  ): Promise<SeeOther> {
    const before = await this.change(place, { labels }, version);
    return this.changed(place, 'labels', 'The labels were changed.', {
      labels: before.labels.join(', '),
      version: versionOf(labels),
    });
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

  @Post('comments')
  @Changes({ operation: 'finding.comment', resource: 'finding', id: 'finding_id' })
  async comment(
    @InOrganization() { caller, organizationId, finding: { id } }: Place<'finding'>,
    @Body() { comment }: CommentForm,
  ): Promise<SeeOther> {
    await this.changes.comment(caller, id, comment);
    return new SeeOther(findingUrl(organizationId, id));
  }

  @Post('merge')
  @Changes({ operation: 'finding.merge', resource: 'finding' })
  async merge(
    @InOrganization() { caller, organizationId, finding: { id } }: Place<'finding'>,
    @Body() { into }: MergeForm,
  ): Promise<SeeOther> {
    await this.findings.requireInOrganization(caller.scope, into, organizationId);
    await this.merges.merge(caller, into, [id]);
    return new SeeOther(findingUrl(organizationId, into));
  }

  @Post('separate')
  @Changes({ operation: 'finding.separate', resource: 'finding', id: 'finding_id' })
  async separate(
    @InOrganization() { caller, organizationId, finding: { id } }: Place<'finding'>,
    @Body() { finding }: SeparateForm,
  ): Promise<SeeOther> {
    await this.merges.separate(caller, id, [finding]);
    return new SeeOther(findingUrl(organizationId, finding));
  }

  private change(
    { caller, finding }: Place<'finding'>,
    fields: FindingChange,
    version: string | undefined,
    dueByHand?: boolean,
  ): Promise<LockedFinding> {
    return this.changes.changeVisible(caller, finding, { ...fields, dueByHand }, requireFields(fields, version));
  }

  /** To the page, which can take the change back. */
  private changed(
    { organizationId, finding: { id } }: Place<'finding'>,
    form: string,
    notice: string,
    before: Undo['fields'],
  ): SeeOther {
    const url = findingUrl(organizationId, id);
    return new SeeOther(url, notice, { action: `${url}/${form}`, fields: before });
  }
}
