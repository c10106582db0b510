import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { conflict, DomainError, invalid, notFound, unprocessable } from '../../kernel/domain-error';
import { everything, type Scope } from '../api/scope';
import {
  IdempotencyRepository,
  LEASE_SECONDS,
  type RequestClaim,
  type RequestKey,
  type StoredResponse,
} from './idempotency.repository';
import { BackgroundTasks } from '../work/background-tasks';
import { TenantTurns } from '../work/tenant-turns';
import { Scheduled } from '../work/work-handler';

const RETENTION_HOURS = 24;
const REMOVAL_BATCH = 10_000;
const RENEWAL_MS = 3_000;
const RELEASE_PAUSE_MS = 250;

/** Of a request that runs, the last renewal is younger. */
const SILENT_SECONDS = 4;

const removal = everything('the stored responses of all organizations expire');

/** 1 to 255 visible ASCII characters. */
export const IDEMPOTENCY_KEY_PATTERN = '^[!-~]{1,255}$';
const WELL_FORMED_KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN);

/** Either the stored response, or a claimed request that must be stored or released. */
export type Claimed =
  { readonly response: StoredResponse } | { readonly response?: undefined; readonly claim: RequestClaim };

/** Safe retries: a request with an `Idempotency-Key` has its effect only once within 24 hours. */
@Injectable()
export class Idempotency {
  constructor(
    private readonly requests: IdempotencyRepository,
    private readonly turns: TenantTurns,
    private readonly background: BackgroundTasks,
  ) {}

  /** Returns a stored response only if the caller can still read its organization. */
  async claim(key: RequestKey, query: string, body: unknown, scope: Scope): Promise<Claimed> {
    if (!WELL_FORMED_KEY.test(key.key))
      throw invalid('Idempotency-Key must be 1 to 255 visible ASCII characters, without spaces.');
    const hash = createHash('sha256')
      .update(JSON.stringify(body ?? null) + query)
      .digest();
    const claim = { ...key, token: randomUUID() };
    if (await this.requests.claim(claim, hash)) return { claim };
    const known = await this.requests.find(key, scope);
    if (known === undefined) throw unknownEnd(1);
    if (known.status === null) {
      const isSilent = known.seconds > SILENT_SECONDS;
      if (isSilent) throw unknownEnd(Math.max(1, Math.ceil(LEASE_SECONDS - known.seconds)));
      throw conflict('A request with this Idempotency-Key is running. Wait for its response, or try again later.', 1);
    }
    if (!known.requestHash.equals(hash)) {
      throw unprocessable('This Idempotency-Key was used with another query or body. Use a new key for a new request.');
    }
    if (known.isHidden) throw notFound('Organization');
    return { response: { ...known, status: known.status } };
  }

  /** Renews the claim until `clearInterval`. While the database is unavailable it may end: `store` notices. */
  keep(claim: RequestClaim): NodeJS.Timeout {
    return setInterval(() => void this.requests.renew(claim).catch(() => undefined), RENEWAL_MS).unref();
  }

  /** Called in the transaction of the change, so that both are committed together. Throws if another request has the claim. */
  async store(claim: RequestClaim, response: StoredResponse): Promise<void> {
    if (!(await this.requests.store(claim, response)))
      throw conflict('Another request with this Idempotency-Key has ended first. Send it again for its response.');
  }

  /** While the database is away, until the lease ends: repeats of the request come as soon as it is back. */
  async release(claim: RequestClaim): Promise<void> {
    await this.requests.release(claim).catch(() =>
      this.background.run('releasing an Idempotency-Key', async () => {
        const end = performance.now() + LEASE_SECONDS * 1_000;
        for (let isReleased = false; !isReleased && performance.now() < end;) {
          await delay(RELEASE_PAUSE_MS);
          isReleased = await this.requests.release(claim).then(
            () => true,
            () => false,
          );
        }
      }),
    );
  }

  @Scheduled({ name: 'idempotency.forget', everySeconds: 3_600 })
  async removeOld(): Promise<void> {
    await this.turns.sweep('idempotency.forget', removal, (part) =>
      this.requests.removeSomeOlderThan(part, RETENTION_HOURS, REMOVAL_BATCH),
    );
  }
}

const unknownEnd = (retryAfter: number): DomainError =>
  new DomainError(
    'unavailable',
    'It is not known whether the request with this Idempotency-Key has ended. Send it again.',
    retryAfter,
  );
