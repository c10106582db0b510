import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PagedBody } from '../../../platform/http/paged-body';
import { PathId } from '../../../platform/http/path-id';
import { ProposalsService } from '../proposals.service';
import { DecideProposalsRequest, ProposalsQuery } from './proposal.requests';
import {
  DecisionsResponse,
  presentDecisions,
  presentProposal,
  ProposalListResponse,
  type ProposalResponse,
} from './proposal.responses';

const example: ProposalResponse = {
  id: 3,
  import_id: 12,
  kind: 'template',
  status: 'proposed',
  scanner: 'nuclei',
  rule_id: 'example-panel',
  title: 'The panel of the example is public',
  severity: 'medium',
  findings: 20,
  location: 'https://www.example.com/panel',
  check_id: 'http:example-panel',
  source:
    'id: example-panel\ninfo:\n  name: The panel of the example is public\nhttp:\n  - path: ["{{BaseURL}}/panel"]\n',
  requests: [{ method: 'GET', target: '{{BaseURL}}/panel' }],
  request_count: 1,
  unsafe_methods: [],
  missing_values: [],
  refusal: null,
  decided_by: null,
  decided_at: null,
  bound: 0,
  not_bound: 0,
  not_bound_reason: null,
};

/** The checks that the file of an import carries. */
@Controller()
export class ProposalsController {
  constructor(private readonly proposals: ProposalsService) {}

  @Operation('GET /v1/imports/{import_id}/proposals', {
    id: 'listImportProposals',
    tag: 'Imports',
    summary: 'List the checks that an imported file carries',
    description:
      'Templates of results, and requests with the text that showed a weakness, of findings that have no check. None of them runs before a person has approved it. They are kept until the import is undone.',
    role: 'viewer',
    query: ProposalsQuery,
    success: {
      description: 'The proposals, the most severe first.',
      body: ProposalListResponse,
      example: { proposals: [example] },
      paged: true,
    },
  })
  async list(
    @CurrentCaller() caller: Caller,
    @PathId('import_id') importId: number,
    @Query() query: ProposalsQuery,
  ): Promise<PagedBody<ProposalListResponse>> {
    const page = query.slice;
    const slice = await this.proposals.list(caller.scope, importId, query, page);
    return new PagedBody({ proposals: slice.items.map(presentProposal) }, page, slice);
  }

  @Operation('POST /v1/imports/{import_id}/proposals/decisions', {
    id: 'decideImportProposals',
    tag: 'Imports',
    summary: 'Approve or decline checks that an imported file carries',
    description:
      'An approved check is bound to the findings of the import that carry exactly this source and have no check, and they are tested within the limits of the import. Replays require the role admin. A proposal that is refused does not block the others.',
    role: 'member',
    body: { example: { decision: 'approve', proposal_ids: [3] } },
    success: {
      description: 'The result of each proposal. A worker binds those that are approved.',
      body: DecisionsResponse,
      example: { decided: 1, refused: 0, results: [{ proposal_id: 3, status: 200, error: null }] },
    },
    errors: [400, 401, 403, 404, 409],
    audit: { operation: 'import.decide_proposals', resource: 'import', id: 'import_id' },
  })
  async decide(
    @CurrentCaller() caller: Caller,
    @PathId('import_id') importId: number,
    @Body() { decision, proposal_ids: ids }: DecideProposalsRequest,
  ): Promise<DecisionsResponse> {
    return presentDecisions(await this.proposals.decide(caller, importId, decision, ids));
  }

  @Operation('GET /v1/findings/{finding_id}/proposals', {
    id: 'listFindingProposals',
    tag: 'Findings',
    summary: 'List the checks that imported files carry for a finding',
    description: 'Of its last 100 sightings, the newest first. Approve them through their import.',
    role: 'viewer',
    success: {
      description: 'The proposals.',
      body: ProposalListResponse,
      example: { proposals: [example] },
    },
  })
  async listOfFinding(
    @CurrentCaller() caller: Caller,
    @PathId('finding_id') findingId: number,
  ): Promise<ProposalListResponse> {
    const proposals = await this.proposals.listOfFinding(caller.scope, findingId);
    return { proposals: proposals.map(presentProposal) };
  }
}
