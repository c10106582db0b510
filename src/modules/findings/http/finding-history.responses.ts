import { actorTypes } from '../../../platform/api/caller';
import { Shown } from '../../../platform/api/shown';
import type { FindingHistory } from '../data/finding-history.entity';
import { FINDING_STATUS } from '../domain/finding-status';

const statuses = Object.values(FINDING_STATUS);

class HistoryActor {
  @Shown.string({ enum: actorTypes })
  type!: string;

  @Shown.string({ description: 'The id of the user, or of the beacon.' })
  id!: string;
}

class FindingTransitionResponse {
  @Shown.integer({ enum: statuses })
  status!: number;

  @Shown.integer({ nullable: true, enum: statuses, description: 'Null for the entry of the creation.' })
  previous_status!: number | null;

  @Shown.one(HistoryActor)
  actor!: HistoryActor;

  @Shown.string({ nullable: true })
  comment!: string | null;

  @Shown.instant()
  created!: string;
}

export class FindingHistoryResponse {
  @Shown.list(FindingTransitionResponse)
  history!: FindingTransitionResponse[];
}

export const presentTransition = (transition: FindingHistory): FindingTransitionResponse => ({
  status: transition.status,
  previous_status: transition.previousStatus,
  actor: { type: transition.actorType, id: transition.actorId },
  comment: transition.comment,
  created: transition.created.toISOString(),
});
