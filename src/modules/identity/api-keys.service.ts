import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { orThrow } from '../../kernel/or-throw';
import { overlapEnd } from '../../kernel/overlap';
import type { Page, Slice } from '../../kernel/page';
import type { Caller, CallerKey, KeyScope } from '../../platform/api/caller';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { OrganizationsService } from '../organizations';
import { CallingCredentials } from './calling-credentials';
import { type KeyOfUser, type KeyOwner, KeysRepository } from './data/keys.repository';
import { UsersRepository } from './data/users.repository';
import {
  scopesNotNarrower,
  expiryAfterCallingKey,
  expiryInPast,
  keyNotFound,
  keyNotInReview,
  keyOpensNothing,
  keyUnusable,
  keysLimitReached,
  onlyOwnKeysRotate,
  secretReplaced,
} from './domain/identity.errors';
import { keyNeedsOrganization } from './domain/provider-sign-in.errors';
import { hashSecret, newKeyMaterial, newSecret } from './domain/key-material';
import { includesScopes, narrowerScopes, USES_KEPT_MS } from './domain/key-use';
import { KeyAuthenticator } from './key-authenticator';
import { SignInRulesService } from './sign-in-rules.service';

export interface OwnKeyDraft {
  readonly label: string;
  readonly scopes: KeyScope[];
  readonly organizationId: number | null;
  readonly expires: Date | null;
}

export interface KeyWithSecret {
  readonly key: KeyOfUser;
  /** Shown only once. */
  readonly secret: string;
}

const MAX_USABLE = 50;

/** Of the keys of a user that are revoked or have expired. */
const KEPT_ENDED = 200;

/**
 * The API keys of the caller. A key cannot create a key that may do more than itself, outlives it or survives its revocation.
 * Scopes need no comparison: the operations need the scope `write`, which includes all others.
 */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: KeysRepository,
    private readonly users: UsersRepository,
    private readonly credentials: CallingCredentials,
    private readonly organizations: OrganizationsService,
    private readonly rules: SignInRulesService,
    private readonly authenticator: KeyAuthenticator,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  list(caller: Caller, page: Page): Promise<Slice<KeyOfUser>> {
    return this.keys.listOf(ownerOf(caller), page);
  }

  async create(caller: Caller, { label, scopes, organizationId, expires }: OwnKeyDraft): Promise<KeyWithSecret> {
    const { userId, key: callingKey } = caller.facts;
    const organization = organizationId ?? callingKey?.organizationId ?? null;
    if (caller.isOfProvider && !caller.facts.memberships.has(organization ?? 0)) throw keyNeedsOrganization();
    this.unitOfWork.note({ organizationId: organization ?? (await this.users.onlyOrganizationOf(userId)) });
    if (organization !== null) await this.organizations.get(caller.scope, organization);
    const end = this.endFor(callingKey, expires);
    await this.lockKeysOf(caller);
    if ((await this.keys.countUsableInLocked(userId, this.clock.now())) >= MAX_USABLE)
      throw keysLimitReached(MAX_USABLE);
    const parentId = callingKey?.id ?? null;
    const identityId = identityFor(caller, organization);
    const made = { userId, organizationId: organization, parentId, identityId, scopes, expires: end };
    await this.rules.requireAllowed(made);
    await this.keys.removeOldEndedInLocked(userId, this.clock.now(), KEPT_ENDED);
    const { accessKey, secret } = newKeyMaterial();
    const id = await this.keys.save({
      accessKey,
      secretHash: hashSecret(secret),
      label,
      userAgent: this.unitOfWork.userAgent,
      ...made,
    });
    const key = await this.get(caller, id);
    if (key.organizationIds?.length === 0) throw keyOpensNothing();
    const metadata = { user_id: userId, label, scopes, expires: end?.toISOString() ?? null };
    this.unitOfWork.note({ resourceId: accessKey, metadata });
    return { key, secret };
  }

  /** The old secret stays valid for the overlap. A secret that an earlier rotation replaced ends at once. */
  async rotate(caller: Caller, id: number, overlapHours: number): Promise<KeyWithSecret> {
    await this.lockKeysOf(caller);
    const key = await this.getToChange(caller, id);
    const { key: callingKey } = caller.facts;
    if (callingKey !== null && !(await this.keys.isInFamilyOf(callingKey.id, id))) throw onlyOwnKeysRotate();
    const now = this.clock.now();
    if (key.revoked !== null || (key.expires !== null && key.expires <= now)) throw keyUnusable();
    const secret = newSecret();
    const until = overlapEnd(now, overlapHours);
    await this.keys.replaceSecret(id, hashSecret(secret), until);
    this.unitOfWork.note({ metadata: { previous_secret_until: until?.toISOString() ?? null } });
    this.unitOfWork.afterCommit(() => this.authenticator.clearCache());
    return { key: await this.get(caller, id), secret };
  }

  /** Keys that it created keep their scopes. */
  async narrow(caller: Caller, id: number, scopes: KeyScope[]): Promise<KeyOfUser> {
    await this.users.lockForNoKeyUpdate(caller.facts.userId);
    const key = await this.getToChange(caller, id);
    if (key.revoked !== null || (key.expires !== null && key.expires <= this.clock.now())) throw keyUnusable();
    if (!includesScopes(key.scopes, scopes)) throw scopesNotNarrower(key.scopes);
    await this.keys.changeScopes(id, scopes);
    this.unitOfWork.note({ metadata: { from: key.scopes, to: scopes } });
    this.unitOfWork.afterCommit(() => this.authenticator.clearCache());
    return { ...key, scopes };
  }

  /** The fewest scopes for what the key did in the last 90 days; undefined if it needs all that it has, or was not used. */
  suggestedScopes({ scopes, uses }: Pick<KeyOfUser, 'scopes' | 'uses'>): KeyScope[] | undefined {
    return narrowerScopes(scopes, uses, new Date(this.clock.now().getTime() - USES_KEPT_MS));
  }

  /** The decision of the user about a key after a new password or an upgrade. */
  async keep(caller: Caller, id: number): Promise<void> {
    await this.getToChange(caller, id);
    if (!(await this.keys.keep(id))) throw keyNotInReview();
  }

  /** Whether keys wait for the user to keep or to end them. */
  async hasToReview({ facts: { userId }, isOfProvider }: Caller): Promise<boolean> {
    return !isOfProvider && (await this.keys.hasToReview(userId, this.clock.now()));
  }

  /** Revokes the key, and all keys that it created. */
  async revoke(caller: Caller, id: number): Promise<void> {
    await this.users.lockForNoKeyUpdate(caller.facts.userId);
    await this.getToChange(caller, id);
    const revoked = await this.keys.revokeFamilyInLocked(id);
    if (revoked === 0) throw keyUnusable();
    this.unitOfWork.note({ metadata: { user_id: caller.facts.userId, revoked_keys: revoked } });
    this.unitOfWork.afterCommit(() => this.authenticator.clearCache());
  }

  private async get(caller: Caller, id: number): Promise<KeyOfUser> {
    return orThrow(await this.keys.findOneOf(ownerOf(caller), id), keyNotFound);
  }

  private async getToChange(caller: Caller, id: number): Promise<KeyOfUser> {
    const key = await this.get(caller, id);
    const organizationId = key.organizationId ?? (await this.users.onlyOrganizationOf(key.userId));
    this.unitOfWork.note({ resourceId: key.accessKey, organizationId });
    return key;
  }

  private async lockKeysOf(caller: Caller): Promise<void> {
    await this.credentials.lock(caller);
    // A replaced secret ends soon. What it creates would outlive it.
    if (caller.facts.key?.replacedSecretUntil !== undefined) throw secretReplaced();
  }

  /** By default the end of the calling key. */
  private endFor(callingKey: CallerKey | null, expires: Date | null): Date | null {
    if (expires !== null && expires <= this.clock.now()) throw expiryInPast(expires);
    const latest = callingKey?.expires ?? null;
    if (expires !== null && latest !== null && expires > latest) throw expiryAfterCallingKey(latest);
    return expires ?? latest;
  }
}

/** A key that is limited to an organization, and a session of a provider, see only keys with the same limit. */
function ownerOf({ facts: { userId, key, memberships }, isOfProvider }: Caller): KeyOwner {
  if (isOfProvider) return { userId, limitedTo: [...memberships.keys()] };
  return { userId, limitedTo: key?.organizationId == null ? null : [key.organizationId] };
}

/** The identity that a new key ends with: that of the calling key, or that which opens the organization in this session. */
function identityFor({ facts: { key, signIn } }: Caller, organizationId: number | null): number | null {
  if (key !== null) return key.identityId ?? null;
  return organizationId === null ? null : (signIn?.identities.get(organizationId) ?? null);
}
