import type { Actor, ActorType } from '../../../platform/api/caller';

interface Comment {
  readonly created: Date;
  readonly actorType: ActorType;
  readonly actorId: string;
}

const EDITABLE_MS = 900_000;

export const isEditable = ({ created }: Pick<Comment, 'created'>, now: Date): boolean =>
  now.getTime() - created.getTime() < EDITABLE_MS;

export const isWrittenBy = (
  { actorType, actorId }: Pick<Comment, 'actorType' | 'actorId'>,
  { type, id }: Actor,
): boolean => actorType === type && actorId === id;
