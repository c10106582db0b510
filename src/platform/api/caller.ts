import { forbidden } from '../../kernel/domain-error';
import { type Role, isAtLeast, roles } from '../../kernel/role';
import { Scope } from './scope';

export const keyScopes = ['read', 'write', 'ci'] as const;
export type KeyScope = (typeof keyScopes)[number];

export const actorTypes = ['user', 'integrator', 'beacon', 'system'] as const;
export type ActorType = (typeof actorTypes)[number];

/** Who did it, as the audit log says it. */
export interface Actor {
  readonly type: ActorType;
  readonly id: string;
}

export const system: Actor = { type: 'system', id: 'system' };

export interface CallerKey {
  readonly id: number;
  readonly accessKey: string;
  readonly label: string;
  readonly scopes: readonly KeyScope[];
  readonly organizationId: number | null;
  readonly expires: Date | null;
}

export interface CallerIntegrator {
  readonly id: number;
  readonly name: string;
  readonly machineEvents: boolean;
}

export interface CallerFacts {
  readonly userId: number;
  readonly email: string;
  readonly integrator: CallerIntegrator | null;
  /** The user's role in each organization, already narrowed to the one that the key is limited to. */
  readonly memberships: ReadonlyMap<number, Role>;
  readonly key: CallerKey;
}

/** Somebody who has proved who they are, with all that later decisions ask about them. */
export class Caller {
  readonly actor: Actor;
  readonly scope: Scope;
  private readonly highest: Role | undefined;

  constructor(readonly facts: CallerFacts) {
    const { integrator, memberships, key, userId } = facts;
    this.actor = { type: integrator ? 'integrator' : 'user', id: String(userId) };
    this.scope = integrator
      ? Scope.integrator(integrator.id, key.organizationId ?? undefined)
      : Scope.organizations([...memberships.keys()]);
    this.highest = integrator ? 'owner' : roles.findLast((role) => [...memberships.values()].includes(role));
  }

  get integrator(): CallerIntegrator | null {
    return this.facts.integrator;
  }

  get key(): CallerKey {
    return this.facts.key;
  }

  /**
   * Whose share of what is limited per tenant the caller uses: its integrator's, else that of its organization. A user of
   * several organizations uses the share of the one that was there first, whichever it works for.
   */
  get tenant(): string {
    const { integrator, memberships, userId } = this.facts;
    if (integrator !== null) return `integrator ${integrator.id}`;
    return memberships.size === 0 ? `user ${userId}` : `organization ${Math.min(...memberships.keys())}`;
  }

  /** The caller's role in an organization inside its scope; an integrator acts as owner of each that it created. */
  roleIn(organizationId: number): Role | undefined {
    return this.integrator ? 'owner' : this.facts.memberships.get(organizationId);
  }

  /** Whether some organization of the caller gives the role: the question that can be asked before a record is known. */
  hasRoleAnywhere(role: Role): boolean {
    return this.highest !== undefined && isAtLeast(this.highest, role);
  }

  hasRole(role: Role, organizationId: number): boolean {
    const own = this.roleIn(organizationId);
    return own !== undefined && isAtLeast(own, role);
  }

  /** Refuses what the role in this organization does not allow. The record was found in the caller's scope: it is a 403. */
  requireRole(role: Role, organizationId: number): void {
    if (this.hasRole(role, organizationId)) return;
    throw forbidden(`This needs the role ${role} or above in organization ${organizationId}.`);
  }
}
