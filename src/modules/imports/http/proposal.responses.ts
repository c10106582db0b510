import { SEVERITIES } from '../../../kernel/severity';
import { ACTOR_TYPES } from '../../../platform/api/caller';
import { presented, ResponseField } from '../../../platform/api/response-field';
import { statusOfError } from '../../../platform/http/error-response';
import type { ShownProposal } from '../data/import-proposals.repository';
import { PROPOSAL_KINDS, PROPOSAL_STATUSES } from '../domain/proposal';
import type { DecisionResult } from '../proposals.service';

class ProposedRequest {
  @ResponseField.string()
  method!: string;

  @ResponseField.string({
    description:
      'As the template states it. Expressions whose value is known only when it runs stay in braces. For replays, the URL.',
  })
  target!: string;
}

class ProposalActor {
  @ResponseField.string({ enum: ACTOR_TYPES })
  type!: string;

  @ResponseField.string({ description: 'The id of the user.' })
  id!: string;
}

export class ProposalResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.integer()
  import_id!: number;

  @ResponseField.string({
    enum: PROPOSAL_KINDS,
    description:
      '`template`: a template that results carry. `replay`: the requests that the results of a rule show, one for each finding.',
  })
  kind!: string;

  @ResponseField.string({ enum: PROPOSAL_STATUSES })
  status!: string;

  @ResponseField.string()
  scanner!: string;

  @ResponseField.string({ nullable: true })
  rule_id!: string | null;

  @ResponseField.string({ description: 'The title of the most severe result.' })
  title!: string;

  @ResponseField.string({ enum: SEVERITIES, description: 'The highest of its results.' })
  severity!: string;

  @ResponseField.integer({ description: 'How many open findings without a check carried it when the import ended.' })
  findings!: number;

  @ResponseField.string({ nullable: true, description: 'The location of the most severe result.' })
  location!: string | null;

  @ResponseField.string({ nullable: true, description: 'The id of the check; of a replay, that of its example.' })
  check_id!: string | null;

  @ResponseField.string({ description: 'The YAML of the check. For replays, that of the first one as an example.' })
  source!: string;

  @ResponseField.list(ProposedRequest, {
    description: 'The requests that it sends. For replays, the first 20 different ones.',
  })
  requests!: ProposedRequest[];

  @ResponseField.integer({
    description: 'How many different requests there are. For replays, the check of a finding sends one of them.',
  })
  request_count!: number;

  @ResponseField.strings({
    description:
      'Methods that may change state on the target. After the approval, an admin must allow them for each finding.',
  })
  unsafe_methods!: string[];

  @ResponseField.strings({ description: 'Values that it uses but does not define.' })
  missing_values!: string[];

  @ResponseField.string({ nullable: true, description: 'Why it cannot be approved.' })
  refusal!: string | null;

  @ResponseField.one(ProposalActor, { nullable: true, description: 'Who decided.' })
  decided_by!: ProposalActor | null;

  @ResponseField.instant({ nullable: true })
  decided_at!: string | null;

  @ResponseField.integer({ description: 'The number of findings that it was bound to.' })
  bound!: number;

  @ResponseField.integer({ description: 'The number of findings that it could not be bound to.' })
  not_bound!: number;

  @ResponseField.string({
    nullable: true,
    description:
      'The reason for the first of them. For a proposed check: why its approval did not finish, so that it is needed again.',
  })
  not_bound_reason!: string | null;
}

export class ProposalListResponse {
  @ResponseField.list(ProposalResponse)
  proposals!: ProposalResponse[];
}

class DecisionResultResponse {
  @ResponseField.integer()
  proposal_id!: number;

  @ResponseField.integer({ description: '200, or the status of the error.' })
  status!: number;

  @ResponseField.string({ nullable: true, description: 'Why it was refused.' })
  error!: string | null;
}

export class DecisionsResponse {
  @ResponseField.integer()
  decided!: number;

  @ResponseField.integer()
  refused!: number;

  @ResponseField.list(DecisionResultResponse, { description: 'In the order of the request.' })
  results!: DecisionResultResponse[];
}

export const presentProposal = (one: ShownProposal): ProposalResponse =>
  presented(ProposalResponse, one, {
    severity: SEVERITIES[one.severity] ?? 'info',
    source: one.definition,
    requests: one.requests.map(({ method, target, isBelowPath }) => ({
      method,
      target: one.kind === 'replay' ? target : `${isBelowPath ? '{{BaseURL}}' : '{{RootURL}}'}${target}`,
    })),
    unsafe_methods: [...one.unsafeMethods],
    missing_values: [...one.missingValues],
    decided_by: one.actorType === null ? null : { type: one.actorType, id: one.actorId ?? '' },
    decided_at: one.decided?.toISOString() ?? null,
  });

export function presentDecisions(results: readonly DecisionResult[]): DecisionsResponse {
  const refused = results.filter(({ error }) => error !== null).length;
  return {
    decided: results.length - refused,
    refused,
    results: results.map(({ proposalId, error }) => ({
      proposal_id: proposalId,
      status: error === null ? 200 : statusOfError(error),
      error: error === null ? null : error.message,
    })),
  };
}
