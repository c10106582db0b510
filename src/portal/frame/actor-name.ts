import { labelOf } from './words';

/** Integrators have users as well. */
export const isUser = (actorType: string): boolean => actorType === 'user' || actorType === 'integrator';

/** Who did something, with the names of users by id. */
export function actorName(type: string, id: string | null, names: ReadonlyMap<number, string>): string {
  if (type === 'system') return id?.startsWith('identity_provider:') ? 'Identity provider' : 'Assay';
  return isUser(type) ? (names.get(Number(id)) ?? `A former user (${id})`) : `${labelOf(type)} ${id}`;
}
