import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { InOrganization, type Place } from '../../../platform/http/in-organization';
import { Operation } from '../../../platform/http/operation';
import { PagedBody } from '../../../platform/http/paged-body';
import { PathId } from '../../../platform/http/path-id';
import { PageQuery } from '../../../platform/http/page-query';
import { FindingsService } from '../findings.service';
import { FindingLists } from '../lists/finding-lists';
import { FindingHistoryResponse, presentTransition } from './finding-history.responses';
import { findingPriorityExample, FindingPriorityResponse, presentPriority } from './finding-priority.responses';
import { ListFindingsQuery } from './finding-list.requests';
import { ChangeFindingStatusRequest } from './finding.requests';
import {
  FindingListResponse,
  FindingStatusResponse,
  findingExample,
  presentFinding,
  presentStatusChange,
} from './finding.responses';

@Controller()
export class FindingsController {
  constructor(
    private readonly findings: FindingsService,
    private readonly lists: FindingLists,
  ) {}

  @Operation('POST /v1/findings/{finding_id}/status', {
    number: 1,
    id: 'updateFindingStatus',
    tag: 'Findings',
    summary: 'Update the status of a finding',
    description:
      'Changes to or from the statuses 6 to 10 require the role admin. Setting the current status changes nothing. If the transition is not allowed, the error lists the allowed ones.',
    role: 'member',
    body: {
      example: { status: 6, comment: 'Behind the firewall until the migration.', until: '2027-06-30T00:00:00Z' },
    },
    ifMatch: 'getFinding',
    success: {
      status: 200,
      description: 'The status of the finding was set.',
      body: FindingStatusResponse,
      example: { result: 'updated', finding_id: '4711' },
    },
    errors: [400, 401, 403, 404, 409],
    audit: { operation: 'finding.status_update', resource: 'finding', id: 'finding_id' },
  })
  async changeStatus(
    @CurrentCaller() caller: Caller,
    @PathId('finding_id') id: number,
    @Body() body: ChangeFindingStatusRequest,
  ): Promise<FindingStatusResponse> {
    return presentStatusChange(id, await this.findings.changeStatus(caller, id, body));
  }

  @Operation('GET /v1/findings/{finding_id}/', {
    number: 2,
    id: 'getFinding',
    tag: 'Findings',
    summary: 'Read a finding',
    role: 'viewer',
    entityTag: true,
    success: {
      status: 200,
      description: 'A list with the finding.',
      body: FindingListResponse,
      example: { findings: [findingExample] },
    },
  })
  async get(@CurrentCaller() caller: Caller, @PathId('finding_id') id: number): Promise<FindingListResponse> {
    return { findings: [presentFinding(await this.lists.get(caller.scope, id))] };
  }

  @Operation('GET /v1/organizations/{organization_id}/findings/', {
    number: 'addition',
    id: 'listFindings',
    tag: 'Findings',
    summary: 'List the findings of an organization',
    role: 'viewer',
    query: ListFindingsQuery,
    success: {
      status: 200,
      description: 'The findings, newest first unless sorted otherwise.',
      body: FindingListResponse,
      example: { findings: [findingExample] },
      paged: true,
    },
  })
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: ListFindingsQuery,
  ): Promise<PagedBody<FindingListResponse>> {
    const { slice: page, order } = query;
    const filter = query.filterFor(caller);
    const slice = await this.lists.list(caller.scope, organizationId, filter, order, page);
    return new PagedBody({ findings: slice.items.map(presentFinding) }, page, slice);
  }

  @Operation('GET /v1/findings/{finding_id}/priority', {
    number: 'addition',
    id: 'explainFindingPriority',
    tag: 'Findings',
    summary: 'Explain the priority of a finding',
    description:
      'The severity gives a number, and each other reason makes the finding more urgent by its steps, up to 1. `changes` lists what would give it another priority.',
    role: 'viewer',
    success: {
      status: 200,
      description: 'The priority with its reasons.',
      body: FindingPriorityResponse,
      example: findingPriorityExample,
    },
  })
  async priority(@CurrentCaller() caller: Caller, @PathId('finding_id') id: number): Promise<FindingPriorityResponse> {
    return presentPriority(await this.lists.explain(caller.scope, id));
  }

  @Operation('GET /v1/findings/{finding_id}/history', {
    number: 'addition',
    id: 'listFindingHistory',
    tag: 'Findings',
    summary: 'List the history of a finding',
    role: 'viewer',
    query: PageQuery,
    success: {
      status: 200,
      description: 'All status changes, edits, comments and notes, newest first.',
      body: FindingHistoryResponse,
      example: {
        history: [
          {
            id: '4710',
            type: 'status_change',
            status: 3,
            previous_status: 1,
            actor: { type: 'user', id: '12' },
            comment: 'The patch is being tested.',
            justification: null,
            changes: [],
            created: '2026-01-31T12:00:00.000Z',
            decided_at: null,
            edited: null,
            by_agent: false,
          },
        ],
      },
      paged: true,
    },
  })
  async history(
    @CurrentCaller() caller: Caller,
    @PathId('finding_id') id: number,
    @Query() query: PageQuery,
  ): Promise<PagedBody<FindingHistoryResponse>> {
    const page = query.slice;
    const slice = await this.findings.history(caller.scope, id, page);
    return new PagedBody({ history: slice.items.map(presentTransition) }, page, slice);
  }
}
