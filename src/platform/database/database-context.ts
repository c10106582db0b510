import { growingCache } from '../../kernel/growing-cache';
import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Transaction } from './transaction';

/** Whose share of the connections a request uses. It changes when the request is authenticated. */
interface Share {
  tenant: string;
  /** The key or session of the request; none before it is authenticated. */
  reader?: string;
  /** Where its reads go, if not to the primary. */
  replica?: Pool;
}

interface Context {
  readonly share: Share;
  readonly transaction?: Transaction;
}

/** Work of the process itself, such as scheduled tasks. */
const SYSTEM = 'system';

/** All requests whose key or session was not valid recently. They have one share together, so inventing keys gains nothing. */
const STRANGERS = 'strangers';

/** Public routes, among them the health checks of load balancers. */
const OPEN = 'open';

const MAX_CREDENTIALS = 10_000;

/** For whom the current code uses the database, and in which transaction. One storage for both: each one costs time. */
@Injectable()
export class DatabaseContext {
  private readonly storage = new AsyncLocalStorage<Context>();
  private readonly recentlyValid = growingCache<string, true>(MAX_CREDENTIALS);

  get tenant(): string {
    return this.storage.getStore()?.share.tenant ?? SYSTEM;
  }

  get transaction(): Transaction | undefined {
    return this.storage.getStore()?.transaction;
  }

  get reader(): string | undefined {
    return this.storage.getStore()?.share.reader;
  }

  /** Where the reads of the current request go, if not to the primary. */
  get replica(): Pool | undefined {
    return this.storage.getStore()?.share.replica;
  }

  /** For the rest of the current request; undefined for the primary. */
  readFrom(replica: Pool | undefined): void {
    const context = this.storage.getStore();
    if (context !== undefined) context.share.replica = replica;
  }

  /** Runs work of a tenant. */
  runFor<T>(tenant: string, work: () => T): T {
    return this.storage.run({ share: { tenant } }, work);
  }

  /** Runs work of the process, which a request may have started, but which is for others too. */
  runForSystem<T>(work: () => T): T {
    return this.storage.exit(work);
  }

  runRequest(work: () => void): void {
    this.runFor(STRANGERS, work);
  }

  setOpen(): void {
    this.setTenant(OPEN);
  }

  /**
   * Before credentials are verified. Requests with credentials that were valid recently wait among themselves. The secret is a
   * part of what is remembered: names of keys and beacons are known to strangers. Returns what `authenticated` takes.
   */
  claim(name: string, secret: string): string {
    const claimed = `credentials ${hash('sha256', `${name}\0${secret}`, 'base64')}`;
    this.setTenant(this.recentlyValid.has(claimed) ? claimed : STRANGERS);
    return claimed;
  }

  authenticated(claimed: string, tenant: string): void {
    if (this.recentlyValid.get(claimed) === undefined) this.recentlyValid.set(claimed, true);
    this.setTenant(tenant);
    const context = this.storage.getStore();
    if (context !== undefined) context.share.reader = claimed;
  }

  /** Runs work of the same tenant in a transaction, or outside of the current one. */
  runIn<T>(transaction: Transaction | undefined, work: () => T): T {
    const share = this.storage.getStore()?.share ?? { tenant: SYSTEM };
    return this.storage.run({ share, transaction }, work);
  }

  private setTenant(tenant: string): void {
    const context = this.storage.getStore();
    if (context !== undefined) context.share.tenant = tenant;
  }
}
