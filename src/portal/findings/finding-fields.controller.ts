import { Body, Controller, Post } from '@nestjs/common';
import { CommentRequest, type FindingChange, FindingChangesService } from '../../modules/findings';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { type Page, SeeOther } from '../frame/page';
import { GivenForm } from '../http/given-form';
import { orShowAgain } from '../http/refused-form';
import { Changes } from '../http/route-metadata';
import { AssigneeForm, DueDateForm, LabelsForm } from './finding-fields.requests';
import { findingPage } from './finding-page';
import { FindingReader } from './finding-reader';
import { findingUrl } from './findings-url';

const change = { operation: 'finding.change', resource: 'finding', id: 'finding_id' } as const;

/** The small forms of a finding's page. */
@Controller('o/:organization/findings/:finding_id')
export class FindingFieldsController {
  constructor(
    private readonly reader: FindingReader,
    private readonly changes: FindingChangesService,
  ) {}

  @Post('assignee')
  @Changes(change)
  changeAssignee(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
    @Body() given: GivenForm,
  ): Promise<Page | SeeOther> {
    return this.change(caller, organizationId, id, given, async () => {
      const { assignee_id: assigneeId } = await given.read(AssigneeForm);
      return { assigneeId: assigneeId ?? null };
    });
  }

  @Post('due-date')
  @Changes(change)
  changeDueDate(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
    @Body() given: GivenForm,
  ): Promise<Page | SeeOther> {
    return this.change(caller, organizationId, id, given, async () => {
      const { due_date: dueDate } = await given.read(DueDateForm);
      return { dueDate: dueDate ?? null };
    });
  }

  @Post('labels')
  @Changes(change)
  changeLabels(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
    @Body() given: GivenForm,
  ): Promise<Page | SeeOther> {
    return this.change(caller, organizationId, id, given, async () => {
      const { list: labels } = await given.read(LabelsForm);
      return { labels };
    });
  }

  @Post('comments')
  @Changes({ operation: 'finding.comment', resource: 'finding', id: 'finding_id' })
  comment(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
    @Body() given: GivenForm,
  ): Promise<Page | SeeOther> {
    return this.orAgain(caller, organizationId, id, given, async () => {
      const { comment } = await given.read(CommentRequest);
      await this.changes.comment(caller, id, comment);
    });
  }

  private change(
    caller: Caller,
    organizationId: number,
    id: number,
    given: GivenForm,
    read: () => Promise<FindingChange>,
  ): Promise<Page | SeeOther> {
    return this.orAgain(caller, organizationId, id, given, async () => this.changes.change(caller, id, await read()));
  }

  /** If it is refused, the page of the finding is shown with what was typed. */
  private orAgain(
    caller: Caller,
    organizationId: number,
    id: number,
    given: GivenForm,
    work: () => Promise<unknown>,
  ): Promise<Page | SeeOther> {
    return orShowAgain(
      async () => {
        await this.reader.requireFinding(caller, organizationId, id);
        await work();
        return new SeeOther(findingUrl(organizationId, id));
      },
      async (problem) => findingPage({ ...(await this.reader.read(caller, organizationId, id)), problem, given }),
    );
  }
}
