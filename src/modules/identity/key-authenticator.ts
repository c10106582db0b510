import { hash as digest, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../kernel/clock';
import { growingCache } from '../../kernel/growing-cache';
import { Authenticator, type Authentication, type KeyUse, type KnownKey } from '../../platform/auth/authenticator';
import type { Caller, CallerKey } from '../../platform/api/caller';
import { Config } from '../../platform/config/load-config';
import { BackgroundTasks } from '../../platform/work/background-tasks';
import { callerOf } from './data/caller-record';
import { type KeyRecord, KeysRepository } from './data/keys.repository';
import { hashSecret } from './domain/key-material';

const DUMMY_HASH = hashSecret('no such key');
const TOUCH_INTERVAL_MS = 60_000;
/** Of 4,000 users of few organizations. A user of 10,000 organizations takes half a megabyte. */
const MAX_CACHED_ROLES = 50_000;
const USE_INTERVAL_MS = 3_600_000;
/** Keys that end with an identity work this long without an answer of its provider. */
const UNCONFIRMED_MS = 24 * 3_600_000;
const UNCONFIRMED =
  'The identity provider has not confirmed the user of this API key for 24 hours. Sign in to the portal through the provider, or check that the provider is reachable.';

/**
 * Finds the caller of an API key. Only valid credentials are cached, and only for seconds, so that a revoked key is refused
 * soon. An unknown key and a wrong secret cost the same: one query and one comparison.
 */
@Injectable()
export class KeyAuthenticator extends Authenticator {
  private readonly callers: LRUCache<string, Caller>;
  private readonly touched = growingCache<number, number>(10_000);
  private readonly recorded = growingCache<string, number>(10_000);

  constructor(
    config: Config,
    private readonly keys: KeysRepository,
    private readonly clock: Clock,
    private readonly background: BackgroundTasks,
  ) {
    super();
    this.callers = new LRUCache({
      maxSize: MAX_CACHED_ROLES,
      sizeCalculation: ({ facts }) => 10 + facts.memberships.size,
      ttl: Math.max(1, config.AUTH_CACHE_SECONDS * 1_000),
    });
  }

  override async authenticate(accessKey: string, secret: string): Promise<Authentication> {
    const fingerprint = digest('sha256', `${accessKey}:${secret}`, 'base64');
    const cached = this.callers.get(fingerprint);
    if (cached !== undefined && !this.hasEnded(cached.key)) return { caller: cached };

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
    this.callers.set(fingerprint, caller, { start });
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

  private hasEnded({ expires, replacedSecretUntil }: CallerKey): boolean {
    return this.isExpired(expires) || this.isExpired(replacedSecretUntil ?? null);
  }

  private isUsable({ revoked, expires, limitedToDeleted }: KeyRecord): boolean {
    return revoked === null && !limitedToDeleted && !this.isExpired(expires);
  }

  /** Also if the identity was deleted. */
  private isUnconfirmed({ identityId, identityChecked }: KeyRecord): boolean {
    return identityId !== null && this.isExpired(new Date((identityChecked?.getTime() ?? 0) + UNCONFIRMED_MS));
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
