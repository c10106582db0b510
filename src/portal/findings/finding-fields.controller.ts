import { Body, Controller, Post } from '@nestjs/common';
import { type FindingChange, FindingChangesService, FindingMergesService } from '../../modules/findings';
import type { Caller } from '../../platform/api/caller';
import { SeeOther } from '../frame/page';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
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
import { FindingReader } from './finding-reader';
import { FindingVersions } from './finding-versions';

const change = { operation: 'finding.change', resource: 'finding', id: 'finding_id' } as const;

/** The small forms of a finding's page. */
@Controller('o/:organization/findings/:finding_id')
export class FindingFieldsController {
  constructor(
    private readonly reader: FindingReader,
    private readonly changes: FindingChangesService,
    private readonly merges: FindingMergesService,
    private readonly versions: FindingVersions,
  ) {}

  @Post('assignee')
  @Changes(change)
  changeAssignee(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
    @Body() { assignee_id: assigneeId, version }: AssigneeForm,
  ): Promise<SeeOther> {
    return this.change(caller, organizationId, id, { assigneeId: assigneeId ?? null }, version);
  }

  @Post('due-date')
  @Changes(change)
  changeDueDate(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
    @Body() { due_date: dueDate, version }: DueDateForm,
  ): Promise<SeeOther> {
    return this.change(caller, organizationId, id, { dueDate: dueDate ?? null }, version);
  }

  @Post('labels')
  @Changes(change)
  changeLabels(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
    @Body() { list: labels, version }: LabelsForm,
  ): Promise<SeeOther> {
    return this.change(caller, organizationId, id, { labels }, version);
  }

  @Post('unsafe')
  @Changes(change)
  async allowUnsafe(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
    @Body() { isAllowed: allowUnsafe, version }: UnsafeForm,
  ): Promise<SeeOther> {
    await this.reader.requireFinding(caller, organizationId, id);
    this.versions.requireCheck(caller, id, version);
    await this.changes.change(caller, id, { allowUnsafe });
    return new SeeOther(findingUrl(organizationId, id));
  }

  @Post('comments')
  @Changes({ operation: 'finding.comment', resource: 'finding', id: 'finding_id' })
  async comment(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
    @Body() { comment }: CommentForm,
  ): Promise<SeeOther> {
    await this.reader.requireFinding(caller, organizationId, id);
    await this.changes.comment(caller, id, comment);
    return new SeeOther(findingUrl(organizationId, id));
  }

  @Post('merge')
  @Changes({ operation: 'finding.merge', resource: 'finding' })
  async merge(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
    @Body() { into }: MergeForm,
  ): Promise<SeeOther> {
    await this.reader.requireFinding(caller, organizationId, id);
    await this.reader.requireFinding(caller, organizationId, into);
    await this.merges.merge(caller, into, [id]);
    return new SeeOther(findingUrl(organizationId, into));
  }

  @Post('separate')
  @Changes({ operation: 'finding.separate', resource: 'finding', id: 'finding_id' })
  async separate(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
    @Body() { finding }: SeparateForm,
  ): Promise<SeeOther> {
    await this.reader.requireFinding(caller, organizationId, id);
    await this.merges.separate(caller, id, [finding]);
    return new SeeOther(findingUrl(organizationId, finding));
  }

  private async change(
    caller: Caller,
    organizationId: number,
    id: number,
    fields: FindingChange,
    version: string | undefined,
  ): Promise<SeeOther> {
    await this.reader.requireFinding(caller, organizationId, id);
    this.versions.require(caller, id, fields, version);
    await this.changes.change(caller, id, fields);
    return new SeeOther(findingUrl(organizationId, id));
  }
}
