import { Body, Controller, Post, Redirect } from '@nestjs/common';
import { type FindingChange, FindingChangesService } from '../../modules/findings';
import type { Caller } from '../../platform/api/caller';
import { SEE_OTHER } from '../frame/page';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { Changes } from '../http/route-metadata';
import { AssigneeForm, CommentForm, DueDateForm, LabelsForm } from './finding-fields.requests';
import { FindingReader } from './finding-reader';
import { findingUrl } from './findings-url';

interface Redirection {
  readonly url: string;
}

const change = { operation: 'finding.change', resource: 'finding', id: 'finding_id' } as const;

/** The small forms of a finding's page. */
@Controller('o/:organization/findings/:finding_id')
export class FindingFieldsController {
  constructor(
    private readonly reader: FindingReader,
    private readonly changes: FindingChangesService,
  ) {}

  @Post('assignee')
  @Redirect(undefined, SEE_OTHER)
  @Changes(change)
  changeAssignee(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
    @Body() { assignee_id: assigneeId }: AssigneeForm,
  ): Promise<Redirection> {
    return this.change(caller, organizationId, id, { assigneeId: assigneeId ?? null });
  }

  @Post('due-date')
  @Redirect(undefined, SEE_OTHER)
  @Changes(change)
  changeDueDate(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
    @Body() { due_date: dueDate }: DueDateForm,
  ): Promise<Redirection> {
    return this.change(caller, organizationId, id, { dueDate: dueDate ?? null });
  }

  @Post('labels')
  @Redirect(undefined, SEE_OTHER)
  @Changes(change)
  changeLabels(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
    @Body() { list: labels }: LabelsForm,
  ): Promise<Redirection> {
    return this.change(caller, organizationId, id, { labels });
  }

  @Post('comments')
  @Redirect(undefined, SEE_OTHER)
  @Changes({ operation: 'finding.comment', resource: 'finding', id: 'finding_id' })
  async comment(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
    @Body() { comment }: CommentForm,
  ): Promise<Redirection> {
    await this.reader.requireFinding(caller, organizationId, id);
    await this.changes.comment(caller, id, comment);
    return { url: findingUrl(organizationId, id) };
  }

  private async change(
    caller: Caller,
    organizationId: number,
    id: number,
    fields: FindingChange,
  ): Promise<Redirection> {
    await this.reader.requireFinding(caller, organizationId, id);
    await this.changes.change(caller, id, fields);
    return { url: findingUrl(organizationId, id) };
  }
}
