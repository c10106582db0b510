import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { conflict, invalid, notFound, unprocessable } from '../../kernel/domain-error';
import { everything, type Scope } from '../api/scope';
import { IdempotencyRepository, type RequestKey, type StoredResponse } from './idempotency.repository';
import { TenantTurns } from '../work/tenant-turns';
import { Scheduled } from '../work/work-handler';

const RETENTION_HOURS = 24;
const REMOVAL_BATCH = 10_000;
const RENEWAL_MS = 5_000;

const removal = everything('the stored responses of all organizations expire');

/** 1 to 255 visible ASCII characters. */
export const IDEMPOTENCY_KEY_PATTERN = '^[!-~]{1,255}$';
const WELL_FORMED_KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN);

/** Either the stored response, or a claimed request that must be stored or released. */
export type Claimed =
  { readonly response: StoredResponse } | { readonly response?: undefined; readonly key: RequestKey };

/** Safe retries: a request with an `Idempotency-Key` has its effect only once within 24 hours. */
@Injectable()
export class Idempotency {
  constructor(
    private readonly requests: IdempotencyRepository,
    private readonly turns: TenantTurns,
  ) {}

  /** Returns a stored response only if the caller can still read its organization. */
  async claim(key: RequestKey, query: string, body: unknown, scope: Scope): Promise<Claimed> {
    if (!WELL_FORMED_KEY.test(key.key))
      throw invalid('Idempotency-Key must be 1 to 255 visible ASCII characters, without spaces.');
    const hash = createHash('sha256')
      .update(JSON.stringify(body ?? null) + query)
      .digest();
    if (await this.requests.claim(key, hash)) return { key };
    const known = await this.requests.find(key, scope);
    if (known === undefined || known.status === null) {
      throw conflict('A request with this Idempotency-Key is running. Wait for its response, or try again later.');
    }
    if (!known.requestHash.equals(hash)) {
      throw unprocessable('This Idempotency-Key was used with another query or body. Use a new key for a new request.');
    }
    if (known.isHidden) throw notFound('Organization');
    return { response: { ...known, status: known.status } };
  }

  /** Renews the claim until `clearInterval`. While the database is unavailable it may end: `store` notices. */
  keep(key: RequestKey): NodeJS.Timeout {
    return setInterval(() => void this.requests.renew(key).catch(() => undefined), RENEWAL_MS).unref();
  }

  /** Called in the transaction of the change, so that both are committed together. Throws if another request has the claim. */
  async store(key: RequestKey, response: StoredResponse): Promise<void> {
    if (!(await this.requests.store(key, response)))
      throw conflict('Another request with this Idempotency-Key has ended first. Send it again for its response.');
  }

  release(key: RequestKey): Promise<void> {
    return this.requests.release(key);
  }

  @Scheduled({ name: 'idempotency.forget', everySeconds: 3_600 })
  async removeOld(): Promise<void> {
    await this.turns.sweep('idempotency.forget', removal, (part) =>
      this.requests.removeSomeOlderThan(part, RETENTION_HOURS, REMOVAL_BATCH),
    );
  }
}
