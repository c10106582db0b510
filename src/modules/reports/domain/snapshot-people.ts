import { isUser } from '../../../platform/api/caller';
import type { StatusTransition } from '../../findings';

type Actor = StatusTransition['actor'];
type Names = ReadonlyMap<number, string>;

export function actorText(actor: Actor, people: Names): string {
  if (actor.type === 'system') return 'Assay';
  return isUser(actor.type) ? personText(Number(actor.id), people) : `Beacon ${actor.id}`;
}

/** The user may have been deleted. */
export const personText = (id: number, people: Names): string => people.get(id) ?? 'A former user';
