import { ACTOR_TYPES } from '../../../platform/api/caller';
import { ResponseField } from '../../../platform/api/response-field';
import type { FindingHistory } from '../data/finding-history.entity';
import { FINDING_STATUS } from '../domain/finding-status';
import { VEX_JUSTIFICATIONS } from '../domain/vex-justification';

const STATUSES = Object.values(FINDING_STATUS);

export class HistoryActor {
  @ResponseField.string({ enum: ACTOR_TYPES })
  type!: string;

  @ResponseField.string({ description: 'The id of the user, or of the beacon.' })
  id!: string;
}

class FieldChangeResponse {
  @ResponseField.string({
    description:
      'The field, as named in the request that changes a finding, such as `title`, `assignee_id` or `due_date`.',
  })
  field!: string;

  @ResponseField.string({
    nullable: true,
    description: 'For a long text, the lines that changed; for labels, all of them, separated by commas.',
  })
  from!: string | null;

  @ResponseField.string({ nullable: true })
  to!: string | null;
}

export class FindingTransitionResponse {
  @ResponseField.string()
  id!: string;

  @ResponseField.string({
    enum: ['recorded', 'status_change', 'edit', 'comment', 'note'],
    description: 'A note is written by the service. Edits, comments and notes have the same status before and after.',
  })
  type!: string;

  @ResponseField.integer({ enum: STATUSES })
  status!: number;

  @ResponseField.integer({ nullable: true, enum: STATUSES, description: 'Null for the entry of the creation.' })
  previous_status!: number | null;

  @ResponseField.one(HistoryActor)
  actor!: HistoryActor;

  @ResponseField.string({ nullable: true, description: 'Comments are Markdown.' })
  comment!: string | null;

  @ResponseField.string({
    nullable: true,
    enum: VEX_JUSTIFICATIONS,
    description: 'Why the CVE does not affect the product, if the change of the status says so.',
  })
  justification!: string | null;

  @ResponseField.list(FieldChangeResponse, { description: 'What an edit changed; otherwise empty.' })
  changes!: FieldChangeResponse[];

  @ResponseField.instant()
  created!: string;

  @ResponseField.instant({
    nullable: true,
    description: 'When the deciding response arrived, for a change by a test or a scan. It is earlier than `created`.',
  })
  decided_at!: string | null;

  @ResponseField.instant({ nullable: true, description: 'When the author last edited the comment.' })
  edited!: string | null;

  @ResponseField.boolean({ description: 'An agent wrote the comment through the MCP server.' })
  by_agent!: boolean;
}

export class FindingHistoryResponse {
  @ResponseField.list(FindingTransitionResponse)
  history!: FindingTransitionResponse[];
}

function typeOf({ previousStatus, status, isComment, changes }: FindingHistory): string {
  if (isComment) return 'comment';
  if (changes !== null) return 'edit';
  if (previousStatus === null) return 'recorded';
  return previousStatus === status ? 'note' : 'status_change';
}

export const presentTransition = (transition: FindingHistory): FindingTransitionResponse => ({
  id: transition.id,
  type: typeOf(transition),
  status: transition.status,
  previous_status: transition.previousStatus,
  actor: { type: transition.actorType, id: transition.actorId },
  comment: transition.comment,
  justification: transition.justification,
  changes: (transition.changes ?? []).map(({ field, from, to }) => ({ field, from, to })),
  created: transition.created.toISOString(),
  decided_at: transition.decided?.toISOString() ?? null,
  edited: transition.edited?.toISOString() ?? null,
  by_agent: transition.byAgent,
});
