import type { Role } from '../../../kernel/role';
import { Caller, type CallerKey } from '../../../platform/api/caller';
import { raw } from '../../../platform/database/sql';
import type { Session } from './session.entity';

/** The user of an API key or a session, with its integrator and memberships, as it is read for each request. */
export interface CallerRecord {
  readonly userId: number;
  readonly email: string;
  readonly name: string | null;
  readonly integratorId: number | null;
  readonly integratorName: string | null;
  readonly machineEvents: boolean | null;
  readonly memberships: { organization_id: number; role: Role; identity_id?: number | null }[];
}

/** The columns of `users u` and `integrators i`. The memberships are a column of their own, because a key may limit them. */
export const callerColumns = raw(`u.id AS "userId", u.email, u.name, u.integrator_id AS "integratorId",
        i.name AS "integratorName", i.machine_events AS "machineEvents"`);

type SessionOfCaller = Pick<Session, 'id' | 'isOwn'>;

/** Without a key for a session of the portal, which `isOwn` if the user's own means have opened it. */
export function callerOf(record: CallerRecord, key: CallerKey | null, session?: SessionOfCaller): Caller {
  const { userId, email, name, integratorId, integratorName, machineEvents, memberships } = record;
  return new Caller({
    userId,
    email,
    name,
    integrator:
      integratorId === null
        ? null
        : { id: integratorId, name: integratorName ?? '', machineEvents: machineEvents ?? false },
    memberships: new Map(memberships.map((membership) => [membership.organization_id, membership.role])),
    key,
    signIn: session && {
      sessionId: session.id,
      kind: session.isOwn ? 'own' : 'provider',
      identities: identitiesIn(record),
    },
  });
}

const identitiesIn = ({ memberships }: CallerRecord): Map<number, number> =>
  new Map(memberships.flatMap(({ organization_id: id, identity_id: by }) => (by == null ? [] : [[id, by] as const])));
