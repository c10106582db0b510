import { isDeepStrictEqual } from 'node:util';
import { forbidden } from '../../kernel/domain-error';
import { type Role, isAtLeast, roles } from '../../kernel/role';
import { Scope } from './scope';

export const KEY_SCOPES = ['read', 'write', 'ci'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

export const ACTOR_TYPES = ['user', 'integrator', 'beacon', 'system'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

/** A change that needs the approval of a second admin, as JSON. */
export interface ProposedChange {
  readonly organizationId: number;
  /** The operation of its audit entry, which begins with the type of its resource. */
  readonly kind: string;
  /** What its service needs to make it. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** What the proposer saw of the record. If that differs later, the change is not made. */
  readonly seen: unknown;
  /** For people. */
  readonly summary: string;
}

/** Who made a change, as stored in the audit log. */
export interface Actor {
  readonly type: ActorType;
  readonly id: string;
  /** The only change that may be made without asking for an approval: a second admin has confirmed it. */
  readonly approved?: ProposedChange;
}

export const system: Actor = { type: 'system', id: 'system' };

/** Integrators have users as well. */
export const isUser = (actorType: string): boolean => actorType === 'user' || actorType === 'integrator';

export interface CallerKey {
  readonly id: number;
  readonly accessKey: string;
  readonly label: string;
  readonly scopes: readonly KeyScope[];
  readonly organizationId: number | null;
  readonly expires: Date | null;
  /** The identity at a provider that it ends with. */
  readonly identityId?: number | null;
  /** The end of the secret that the request had, if a rotation has replaced it. */
  readonly replacedSecretUntil?: Date;
}

export interface CallerIntegrator {
  readonly id: number;
  readonly name: string;
  readonly machineEvents: boolean;
}

/** How a user is signed in to the portal. */
export interface CallerSignIn {
  readonly sessionId: number;
  /** `provider`: through identity providers only. Such a session may not change the user's own account. */
  readonly kind: 'own' | 'provider';
  /** The identities at providers that open organizations in this session, by organization. */
  readonly identities: ReadonlyMap<number, number>;
}

export interface CallerFacts {
  readonly userId: number;
  readonly email: string;
  /** As reports show it. */
  readonly name: string | null;
  readonly integrator: CallerIntegrator | null;
  /** The user's role in each organization; only one organization if the key is limited to it. */
  readonly memberships: ReadonlyMap<number, Role>;
  /** Null for a user who is signed in to the portal. */
  readonly key: CallerKey | null;
  /** Of a session of the portal. */
  readonly signIn?: CallerSignIn;
}

/** An authenticated user, with the data that authorization needs. */
export class Caller {
  readonly actor: Actor;
  readonly scope: Scope;
  private readonly highest: Role | undefined;

  constructor(
    readonly facts: CallerFacts,
    approved?: ProposedChange,
  ) {
    const { integrator, memberships, userId } = facts;
    const limitedTo = facts.key?.organizationId ?? undefined;
    this.actor = { type: integrator ? 'integrator' : 'user', id: String(userId), ...(approved && { approved }) };
    this.scope = integrator ? Scope.integrator(integrator.id, limitedTo) : Scope.organizations([...memberships.keys()]);
    this.highest = integrator ? 'owner' : roles.findLast((role) => [...memberships.values()].includes(role));
  }

  /** The same user, for a change that a second admin has confirmed. */
  with(approved: ProposedChange): Caller {
    return new Caller(this.facts, approved);
  }

  get integrator(): CallerIntegrator | null {
    return this.facts.integrator;
  }

  /** The API key of a request; sessions of the portal have none. */
  get key(): CallerKey {
    if (this.facts.key === null) throw new Error('A session of the portal has no API key.');
    return this.facts.key;
  }

  /** Whether only providers opened the session, which then may not change the user's own account. */
  get isOfProvider(): boolean {
    return this.facts.signIn?.kind === 'provider';
  }

  /**
   * Whose share of limits per tenant the caller uses: that of its integrator, or else of its organization. A user of
   * several organizations always uses the share of the one with the lowest id.
   */
  get tenant(): string {
    const { integrator, memberships, userId } = this.facts;
    if (integrator !== null) return `integrator ${integrator.id}`;
    return memberships.size === 0 ? `user ${userId}` : `organization ${Math.min(...memberships.keys())}`;
  }

  /** The user who waits for what the call starts; null for schedules and the service itself, which have no address. */
  get waitingUserId(): number | null {
    return this.facts.email === '' ? null : this.facts.userId;
  }

  /** The caller's role in an organization of its scope. An integrator is owner of every organization that it created. */
  roleIn(organizationId: number): Role | undefined {
    return this.integrator ? 'owner' : this.facts.memberships.get(organizationId);
  }

  /** Whether the caller has the role in any organization. It can be checked before a record is read. */
  hasRoleAnywhere(role: Role): boolean {
    return this.highest !== undefined && isAtLeast(this.highest, role);
  }

  hasRole(role: Role, organizationId: number): boolean {
    const own = this.roleIn(organizationId);
    return own !== undefined && isAtLeast(own, role);
  }

  /** Throws a 403, not a 404, because the record was found in the caller's scope. */
  requireRole(role: Role, organizationId: number): void {
    if (this.hasRole(role, organizationId)) return;
    throw forbidden(`This needs the role ${role} or above in organization ${organizationId}.`);
  }

  /** Throws if these credentials had more rights when the request began, in this organization or in any. */
  requireAllOf(begun: Caller, organizationId?: number): void {
    const ids = organizationId === undefined ? begun.facts.memberships.keys() : [organizationId];
    const isLost = [...ids].some((id) => {
      const role = begun.roleIn(id);
      return role !== undefined && !this.hasRole(role, id);
    });
    if (isLost || !isDeepStrictEqual(limitsOf(this), limitsOf(begun)))
      throw forbidden('Your rights have changed while the request was sent. Send it again if you still may.');
  }
}

const limitsOf = ({ facts: { integrator, key } }: Caller) => [integrator, key?.scopes, key?.organizationId];

/** The service itself, as a member of one organization. */
export class SystemCaller extends Caller {
  override readonly actor: Actor = system;

  constructor(organizationId: number) {
    const memberships = new Map<number, Role>([[organizationId, 'member']]);
    super({ userId: 0, email: '', name: null, integrator: null, memberships, key: null });
  }
}
