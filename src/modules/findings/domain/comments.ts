import type { Actor } from '../../../platform/api/caller';
import type { FindingHistory } from '../data/finding-history.entity';

const EDITABLE_MS = 900_000;

export const isEditable = ({ created }: Pick<FindingHistory, 'created'>, now: Date): boolean =>
  now.getTime() - created.getTime() < EDITABLE_MS;

export const isWrittenBy = (
  { actorType, actorId }: Pick<FindingHistory, 'actorType' | 'actorId'>,
  { type, id }: Actor,
): boolean => actorType === type && actorId === id;
