import { hash as digest, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../kernel/clock';
import { growingCache } from '../../kernel/growing-cache';
import { Authenticator, type Authentication, type KeyUse, type KnownKey } from '../../platform/auth/authenticator';
import type { Caller, CallerKey } from '../../platform/api/caller';
import { Config } from '../../platform/config/load-config';
import { BackgroundTasks } from '../../platform/work/background-tasks';
import { DatabaseContext } from '../../platform/database/database-context';
import { Scheduled } from '../../platform/work/work-handler';
import { AccessChangesRepository } from './data/access-changes.repository';
import { callerOf } from './data/caller-record';
import { type KeyRecord, KeysRepository } from './data/keys.repository';
import { hashSecret } from './domain/key-material';
import { WatchedVersion } from './watched-version';

const DUMMY_HASH = hashSecret('no such key');
const TOUCH_INTERVAL_MS = 60_000;
/** Of 4,000 users of few organizations. A user of 10,000 organizations takes half a megabyte. */
const MAX_CACHED_ROLES = 50_000;
const USE_INTERVAL_MS = 3_600_000;
/** Keys that end with an identity work this long without an answer of its provider. */
const UNCONFIRMED_MS = 24 * 3_600_000;
const UNCONFIRMED =
  'The identity provider has not confirmed the user of this API key for 24 hours. Sign in to the portal through the provider, or check that the provider is reachable.';

/** How long a caller is kept without a change. */
const CACHED_MS = 120_000;
const CHANGES_KEPT_MINUTES = 60;

interface CachedCaller {
  readonly caller: Caller;
  /** When time alone ends a right of it; null if never. */
  readonly until: Date | null;
}

/**
 * Finds the caller of an API key. Only valid credentials are cached, and only while the process knows that no right of a key has
 * changed within seconds, so that a revoked key is refused soon. An unknown key and a wrong secret cost the same: one query and one
 * comparison.
 */
@Injectable()
export class KeyAuthenticator extends Authenticator {
  private readonly callers: LRUCache<string, CachedCaller>;
  private readonly rights: WatchedVersion;
  private readonly touched = growingCache<number, number>(10_000);
  private readonly recorded = growingCache<string, number>(10_000);

  constructor(
    config: Config,
    private readonly keys: KeysRepository,
    private readonly changes: AccessChangesRepository,
    context: DatabaseContext,
    private readonly clock: Clock,
    private readonly background: BackgroundTasks,
  ) {
    super();
    this.callers = new LRUCache({
      maxSize: MAX_CACHED_ROLES,
      sizeCalculation: ({ caller }) => 10 + caller.facts.memberships.size,
      ttl: CACHED_MS,
    });
    // The tenant whose request asks must not use its share of the connections for all others.
    const version = () => context.runForSystem(() => this.changes.version());
    this.rights = new WatchedVersion(version, () => this.clearCache(), config.AUTH_CACHE_SECONDS * 1_000);
  }

  override async authenticate(accessKey: string, secret: string): Promise<Authentication> {
    const fingerprint = digest('sha256', `${accessKey}:${secret}`, 'base64');
    const isWatched = await this.rights.isCurrent();
    const cached = isWatched ? this.callers.get(fingerprint) : undefined;
    if (cached !== undefined && !this.isExpired(cached.until)) {
      this.touch(cached.caller.key.id);
      return { caller: cached.caller };
    }

    const before = this.rights.changes;
    const start = performance.now();
    const record = accessKey.includes('\0') ? undefined : await this.keys.findByAccessKey(accessKey);
    const hash = hashSecret(secret);
    const matches = timingSafeEqual(hash, record?.secretHash ?? DUMMY_HASH);
    const matchesPrevious = timingSafeEqual(hash, record?.previousSecretHash ?? DUMMY_HASH);
    if (record === undefined) return {};
    const replacedUntil = !matches && matchesPrevious ? record.previousSecretUntil : null;
    const isValid = matches || (replacedUntil !== null && !this.isExpired(replacedUntil));
    if (!isValid || !this.isUsable(record)) return { knownKey: knownKey(record) };
    if (this.isUnconfirmed(record)) return { knownKey: knownKey(record), reason: UNCONFIRMED };

    const caller = callerOf(record, callerKeyOf(record, replacedUntil ?? undefined));
    const until = earliest([record.expires, replacedUntil, record.nextEnd, unconfirmedAt(record)]);
    // What changed meanwhile may not be in the record.
    if (isWatched && before === this.rights.changes) this.callers.set(fingerprint, { caller, until }, { start });
    this.touch(record.id);
    return { caller };
  }

  override recordUse(keyId: number, use: KeyUse): void {
    const now = this.clock.now().getTime();
    const name = `${keyId} ${use}`;
    if (now - (this.recorded.get(name) ?? 0) < USE_INTERVAL_MS) return;
    this.recorded.set(name, now);
    this.background.run('kind of use of a key', () => this.keys.recordUse(keyId, use));
  }

  /** Removes all cached callers, so that the next request uses the changed roles or keys. */
  clearCache(): void {
    this.callers.clear();
  }

  @Scheduled({ name: 'identity.access_changes', everySeconds: 3_600 })
  async removeOldChanges(): Promise<void> {
    await this.changes.removeOld(CHANGES_KEPT_MINUTES);
  }

  private isUsable({ revoked, expires, limitedToDeleted }: KeyRecord): boolean {
    return revoked === null && !limitedToDeleted && !this.isExpired(expires);
  }

  /** Also if the identity was deleted. */
  private isUnconfirmed(record: KeyRecord): boolean {
    return this.isExpired(unconfirmedAt(record));
  }

  private isExpired(expires: Date | null): boolean {
    return expires !== null && expires <= this.clock.now();
  }

  private touch(id: number): void {
    const now = this.clock.now().getTime();
    if (now - (this.touched.get(id) ?? 0) < TOUCH_INTERVAL_MS) return;
    this.touched.set(id, now);
    this.background.run('last use of a key', () => this.keys.touch(id));
  }
}

const unconfirmedAt = ({ identityId, identityChecked }: KeyRecord): Date | null =>
  identityId === null ? null : new Date((identityChecked?.getTime() ?? 0) + UNCONFIRMED_MS);

function earliest(times: readonly (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null).map((time) => time.getTime());
  return known.length === 0 ? null : new Date(Math.min(...known));
}

function callerKeyOf(record: KeyRecord, replacedSecretUntil: Date | undefined): CallerKey {
  const { id, accessKey, label, scopes, organizationId, expires, identityId } = record;
  return { id, accessKey, label, scopes, organizationId, expires, identityId, replacedSecretUntil };
}

/** The key of a failed login, with the organization whose audit log has the entry, if there is exactly one. */
function knownKey({ accessKey, userId, integratorId, organizationId, memberships }: KeyRecord): KnownKey {
  const only = memberships.length === 1 ? (memberships[0]?.organization_id ?? null) : null;
  return {
    accessKey,
    actor: { type: integratorId === null ? 'user' : 'integrator', id: String(userId) },
    organizationId: organizationId ?? only,
  };
}
