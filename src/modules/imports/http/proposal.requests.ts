import { ListOf, OneOf } from '../../../platform/http/fields';
import { idsOf } from '../../../platform/http/ids-of';
import { PageQueryOf, type SortValue } from '../../../platform/http/page-query';
import { PROPOSAL_KINDS, PROPOSAL_STATUSES, type ProposalKind, type ProposalStatus } from '../domain/proposal';
import type { ProposalDecision } from '../proposals.service';

const MAX_DECIDED = 500;

export class ProposalsQuery extends PageQueryOf(50) {
  @OneOf(PROPOSAL_KINDS, { optional: true, description: 'Only proposals of this kind.' })
  kind?: ProposalKind;

  @OneOf(PROPOSAL_STATUSES, { optional: true, description: 'Only proposals with this status.' })
  status?: ProposalStatus;

  override get sortValues(): readonly SortValue[] {
    return ['integer', 'integer'];
  }
}

export class DecideProposalsRequest {
  @OneOf(['approve', 'decline'])
  decision!: ProposalDecision;

  @ListOf(idsOf('a proposal'), 1, MAX_DECIDED)
  proposal_ids!: number[];
}
