import { isUser } from '../../platform/api/caller';
import { labelOf } from './words';

/** Who did something, with the names of users by id. */
export function actorName(type: string, id: string | null, names: ReadonlyMap<number, string>): string {
  if (type === 'system') return id?.startsWith('identity_provider:') ? 'Identity provider' : 'Assay';
  return isUser(type) ? (names.get(Number(id)) ?? `A former user (${id})`) : `${labelOf(type)} ${id}`;
}
