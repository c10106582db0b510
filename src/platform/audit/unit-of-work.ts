import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError, type ErrorKind } from '../../kernel/domain-error';
import type { TraceContext } from '../../kernel/trace-context';
import type { Scope } from '../api/scope';
import { asDomainError, isRepeatable } from '../database/database-errors';
import { Database } from '../database/database';
import { Metrics } from '../metrics/metrics';
import { Transactions } from '../database/transactions';
import { Tracer } from '../tracing/tracer';
import {
  type AuditDescription,
  AuditDraft,
  type AuditEntry,
  type AuditNote,
  type AuditPart,
  type NamedResource,
} from './audit-entry';
import { AuditTrail } from './audit-trail';
import { ResourceOwners } from './resource-owners';

/** The errors that leave an audit entry: rejected attempts to change something. */
const RECORDED_REFUSALS: ReadonlySet<ErrorKind> = new Set([
  'unauthenticated',
  'invalid',
  'forbidden',
  'not_found',
  'conflict',
  'precondition_failed',
  'unprocessable',
]);

/** Throws if the record is not as the caller read it. */
export type Condition = () => Promise<void>;

/** How often a transaction that gives way is tried, and the pause before the second time. */
const MAX_TRIES = 4;
const PAUSE_MS = 20;

/** What is left of a unit of work when it is rolled back. */
interface Remains {
  hasParts: boolean;
}

interface CurrentWork {
  readonly draft: AuditDraft;
  readonly remains: Remains;
  condition?: Condition | undefined;
}

/**
 * Commits a change and its audit entry together or not at all. All changes run in a unit of work: those of HTTP requests, of
 * the worker and of the command line.
 */
@Injectable()
export class UnitOfWork {
  private readonly current = new AsyncLocalStorage<CurrentWork>();
  private readonly entries = this.metrics.counter({
    name: 'assay_audit_entries_total',
    help: 'Audit entries. unwritten: the transaction of the entry failed, and with it the change',
    labels: { status: ['success', 'failure', 'unwritten'] },
  });

  constructor(
    private readonly transactions: Transactions,
    private readonly trail: AuditTrail,
    private readonly owners: ResourceOwners,
    private readonly database: Database,
    private readonly metrics: Metrics,
    private readonly tracer: Tracer,
  ) {}

  /** `scope` is the caller's. It determines the log of an error that occurs before the record is known. */
  run<T>(description: AuditDescription, scope: Scope, work: () => Promise<T>): Promise<T> {
    return this.perform(description, scope, work, () => true);
  }

  /** For work without effects outside of its transaction: begins again if that gave way to another, unless a part was committed. */
  async runRepeatable<T>(description: AuditDescription, scope: Scope, work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      const remains: Remains = { hasParts: false };
      try {
        return await this.perform(description, scope, work, () => true, remains);
      } catch (error) {
        if (!isRepeatable(error) || remains.hasParts || tries === MAX_TRIES) throw error;
        // Of two that met, one comes first.
        await delay(PAUSE_MS * 2 ** tries * Math.random());
      }
    }
  }

  /** For work that may have nothing left to do, such as scheduled tasks. It then returns undefined and leaves no entry. */
  runIfDue<T>(description: AuditDescription, scope: Scope, work: () => Promise<T | undefined>): Promise<T | undefined> {
    return this.perform(description, scope, work, (result) => result !== undefined);
  }

  /**
   * Runs a part of the current unit of work as a unit of its own, with the same actor and request. It commits before the
   * whole does, so the whole must not have locked anything.
   */
  runPart<T>(part: AuditPart, scope: Scope, work: () => Promise<T>): Promise<T> {
    const whole = this.current.getStore();
    if (whole === undefined) throw new Error('runPart must be called inside a unit of work');
    whole.remains.hasParts = true;
    return this.runRepeatable(whole.draft.partOf(part), scope, work);
  }

  /** Writes an entry of its own for a part of the current unit of work, with the same actor and request. */
  async recordPart(part: AuditPart, note: AuditNote): Promise<void> {
    const whole = this.current.getStore()?.draft;
    if (whole === undefined) throw new Error('recordPart must be called inside a unit of work');
    const draft = new AuditDraft(whole.partOf(part));
    draft.note(note);
    await this.database.change(this.trail.statementFor(draft.entry('success')));
  }

  /** Sets the condition of the current unit of work. It must be checked before the unit of work ends. */
  setCondition(condition: Condition): void {
    const current = this.current.getStore();
    if (current === undefined) throw new Error('setCondition must be called inside a unit of work');
    current.condition = condition;
  }

  /**
   * Checks the condition of the current unit of work, if it has one, such as If-Match. Called when the record is locked and
   * the caller may change it, so that the record cannot change between this and the commit.
   */
  async checkCondition(): Promise<void> {
    const current = this.current.getStore();
    const condition = current?.condition;
    if (current === undefined || condition === undefined) return;
    current.condition = undefined;
    await condition();
  }

  /** Adds to the audit entry of the current unit of work. */
  note(note: AuditNote): void {
    this.current.getStore()?.draft.note(note);
  }

  /** Writes a separate entry for what this work does to a record of another organization. */
  async recordSeparately(description: AuditDescription): Promise<void> {
    const entry = new AuditDraft(description).entry('success');
    await this.database.change(this.trail.statementFor(entry));
    this.afterCommit(() => this.entries({ status: entry.status }));
  }

  /** The organization of the current unit of work; null until it is known. */
  get organizationId(): number | null {
    return this.current.getStore()?.draft.organizationId ?? null;
  }

  /** The browser or program of the request that the current unit of work belongs to. */
  get userAgent(): string | null {
    const { user_agent: userAgent } = this.current.getStore()?.draft.metadata ?? {};
    return typeof userAgent === 'string' ? userAgent : null;
  }

  /** The trace that the current unit of work belongs to, for the work that it adds. */
  get trace(): TraceContext | undefined {
    return this.current.getStore()?.draft.trace;
  }

  /** Runs an effect after the commit, such as a notification or a cache update. */
  afterCommit(effect: () => void | Promise<void>): void {
    const transaction = this.transactions.current();
    if (transaction === undefined) throw new Error('afterCommit must be called inside a unit of work');
    transaction.afterCommit(effect);
  }

  /** Writes an entry for an attempt that was rejected before its unit of work began. */
  async refuse(description: AuditDescription, scope: Scope, error: unknown): Promise<void> {
    await this.recordRefusal(new AuditDraft(description), scope, error);
  }

  private async perform<T>(
    description: AuditDescription,
    scope: Scope,
    work: () => Promise<T>,
    needsEntry: (result: T) => boolean,
    remains: Remains = { hasParts: false },
  ): Promise<T> {
    const draft = new AuditDraft(description);
    const span = description.trace && this.tracer.start('internal', description.trace);
    const end = (failed: boolean): void => {
      const attributes = { 'db.system.name': 'postgresql', 'assay.organization_id': draft.organizationId };
      span?.end({ name: `transaction ${description.operation}`, attributes, failed });
    };
    let entry: AuditEntry | undefined;
    let isCommitted = false;
    try {
      const result = await this.transactions.run(
        () => {
          this.afterCommit(() => {
            isCommitted = true;
            if (entry !== undefined) this.entries({ status: entry.status });
          });
          return this.current.run({ draft, remains }, () => this.checked(work));
        },
        (result) => {
          if (!needsEntry(result)) return undefined;
          entry = draft.entry('success');
          return this.trail.statementFor(entry);
        },
      );
      end(false);
      return result;
    } catch (error) {
      end(true);
      // Of a suspended organization, see `needsActiveOrganization`.
      const isForbidden = (asDomainError(error) as Partial<DomainError>).kind === 'forbidden';
      if (entry !== undefined && !isCommitted && !isForbidden) this.entries({ status: 'unwritten' });
      await this.recordRefusal(draft, scope, error);
      throw error;
    }
  }

  private async checked<T>(work: () => Promise<T>): Promise<T> {
    const result = await work();
    if (this.current.getStore()?.condition !== undefined)
      throw new Error('the unit of work did not check its condition');
    return result;
  }

  private async recordRefusal(draft: AuditDraft, scope: Scope, cause: unknown): Promise<void> {
    const error = asDomainError(cause);
    if (!(error instanceof DomainError) || !RECORDED_REFUSALS.has(error.kind)) return;
    const entry = draft.entry('failure', { reason: error.kind });
    const organizationId =
      entry.organizationId === undefined ? await this.owners.ownerOf(scope, resourcesOf(entry)) : entry.organizationId;
    try {
      await this.transactions.run(
        async () => error.record?.(),
        () => this.trail.statementFor({ ...entry, organizationId }),
      );
      this.entries({ status: entry.status });
    } catch (failure) {
      this.entries({ status: 'unwritten' });
      throw failure;
    }
  }
}

const resourcesOf = ({ resourceType: type, resourceId: id, parent }: AuditEntry): NamedResource[] => [
  ...(id === undefined ? [] : [{ type, id }]),
  ...(parent === undefined ? [] : [parent]),
];
