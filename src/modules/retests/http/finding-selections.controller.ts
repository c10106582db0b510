import { Body, Controller, Query } from '@nestjs/common';
import { presented, ResponseField } from '../../../platform/api/response-field';
import { Nested } from '../../../platform/http/fields';
import { InOrganization, type Place, type RecordPlace } from '../../../platform/http/in-organization';
import { operationsTagged } from '../../../platform/http/operation';
import { ListFindingsQuery } from '../../findings';
import { ITEM_RESULTS, SELECTION_STATUSES } from '../domain/selection';
import { type FindingSelection, FindingSelectionsService } from '../finding-selections.service';
import { BulkActionRequest } from './finding-bulk.requests';

class SelectionRequest {
  @Nested(BulkActionRequest, 'with what is done, except of `retest`')
  action!: BulkActionRequest;
}

class SelectionOutcomeResponse {
  @ResponseField.string({ nullable: true, enum: ITEM_RESULTS, description: 'Null: not yet.' })
  result!: string | null;

  @ResponseField.string({ nullable: true })
  reason!: string | null;

  @ResponseField.integer({ description: 'How many.' })
  findings!: number;

  @ResponseField.integers({ description: 'Their ids, at most 100.' })
  finding_ids!: number[];
}

class SelectionResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.string({ enum: SELECTION_STATUSES })
  status!: string;

  @ResponseField.integer({ description: 'How many findings matched the filter in the dry run.' })
  findings!: number;

  @ResponseField.integer({ description: 'How many the run, or undoing it, has come to.' })
  done!: number;

  @ResponseField.list(SelectionOutcomeResponse, {
    description: 'What the change would do; after the run, what it did.',
  })
  outcomes!: SelectionOutcomeResponse[];

  @ResponseField.instant({ nullable: true, description: 'Until when it can be run, or after the run undone.' })
  until!: string | null;
}

const reason = 'The finding is 5 (resolved) and cannot become 3.';
const outcomes = [{ result: 'refused', reason, findings: 34, finding_ids: [] }];
const until = '2027-01-31T13:00:00.000Z';
const example: SelectionResponse = { id: 12, status: 'ready', findings: 1234, done: 0, outcomes, until };

const presentSelection = ({ outcomes: all, ...selection }: FindingSelection): SelectionResponse =>
  presented(SelectionResponse, selection, {
    outcomes: all.map(({ findingIds, ...one }) => ({ ...one, finding_ids: [...findingIds] })),
  });

const Operation = operationsTagged('Findings');
const PATH = '/v1/organizations/{organization_id}/findings/selections';
const audited = { resource: 'finding_selection', id: 'selection_id' } as const;
const success = { description: 'The selection.', body: SelectionResponse, example };

@Controller()
export class FindingSelectionsController {
  constructor(private readonly selections: FindingSelectionsService) {}

  @Operation(`POST ${PATH}`, {
    id: 'createFindingSelection',
    summary: 'Select all findings of a filter',
    description:
      'A dry run over all findings of the list with these parameters, at most 10,000: how many it would change, and why others refuse it. It changes nothing. For an hour the same user can run it, once.',
    role: 'member',
    query: ListFindingsQuery,
    body: { example: { action: { add_labels: ['shop'] } } },
    success: { ...success, status: 201 },
    errors: [400, 401, 403, 404, 422],
    audit: { operation: 'finding_selection.create', resource: 'finding_selection' },
  })
  async create(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: ListFindingsQuery,
    @Body() { action: { action } }: SelectionRequest,
  ): Promise<SelectionResponse> {
    const id = await this.selections.create(caller, organizationId, query.filterFor(caller), action);
    return presentSelection(await this.selections.get(caller, organizationId, id));
  }

  @Operation(`GET ${PATH}/{selection_id}`, {
    id: 'getFindingSelection',
    summary: 'Read a selection of findings',
    description: 'Its dry run, its progress and what became of its findings, for a day.',
    role: 'viewer',
    success,
  })
  async get(@InOrganization('selection_id') { caller, organizationId, id }: RecordPlace): Promise<SelectionResponse> {
    return presentSelection(await this.selections.get(caller, organizationId, id));
  }

  @Operation(`POST ${PATH}/{selection_id}/run`, {
    id: 'runFindingSelection',
    summary: 'Change the findings of a selection',
    description:
      'A worker changes them as the bulk change does, each with an audit entry. A finding that was changed after the dry run is skipped.',
    role: 'member',
    success: { ...success, status: 202 },
    errors: [401, 403, 404, 409, 422],
    audit: { operation: 'finding_selection.run', ...audited },
  })
  async run(@InOrganization('selection_id') { caller, organizationId, id }: RecordPlace): Promise<SelectionResponse> {
    await this.selections.run(caller, organizationId, id);
    return presentSelection(await this.selections.get(caller, organizationId, id));
  }

  @Operation(`POST ${PATH}/{selection_id}/undo`, {
    id: 'undoFindingSelection',
    summary: 'Undo the change of a selection',
    description:
      'Gives findings the assignee, due date and labels from before, for ten minutes after the run. One whose field has changed again is kept. Statuses and comments are not undone.',
    role: 'member',
    success: { ...success, status: 202 },
    errors: [401, 403, 404, 409, 422],
    audit: { operation: 'finding_selection.undo', ...audited },
  })
  async undo(@InOrganization('selection_id') { caller, organizationId, id }: RecordPlace): Promise<SelectionResponse> {
    await this.selections.undo(caller, organizationId, id);
    return presentSelection(await this.selections.get(caller, organizationId, id));
  }
}
