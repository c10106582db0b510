import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { DomainError, type ErrorKind } from '../../kernel/domain-error';
import type { Scope } from '../api/scope';
import { asDomainError } from '../database/database-errors';
import { Database } from '../database/database';
import { Transactions } from '../database/transactions';
import { type AuditDescription, AuditDraft, type AuditEntry, type AuditNote, type NamedResource } from './audit-entry';
import { AuditTrail } from './audit-trail';
import { ResourceOwners } from './resource-owners';

/** The refusals that leave an entry: somebody tried to change something, and was told why not. */
const recordedRefusals: ReadonlySet<ErrorKind> = new Set([
  'unauthenticated',
  'invalid',
  'forbidden',
  'not_found',
  'conflict',
  'unprocessable',
]);

/**
 * A change and its audit entry, together or not at all. Whoever changes something runs it in here, whether it came by
 * HTTP, from the worker or from the command line.
 */
@Injectable()
export class UnitOfWork {
  private readonly drafts = new AsyncLocalStorage<AuditDraft>();

  constructor(
    private readonly transactions: Transactions,
    private readonly trail: AuditTrail,
    private readonly owners: ResourceOwners,
    private readonly database: Database,
  ) {}

  /** `scope` is the caller's: it decides in whose log a refusal stands that never came to know its record. */
  run<T>(description: AuditDescription, scope: Scope, work: () => Promise<T>): Promise<T> {
    return this.perform(description, scope, work, () => true);
  }

  /** For work that may find nothing to do any more, as the clock's: it answers undefined then, and leaves no entry. */
  runIfDue<T>(description: AuditDescription, scope: Scope, work: () => Promise<T | undefined>): Promise<T | undefined> {
    return this.perform(description, scope, work, (result) => result !== undefined);
  }

  /** Adds to the entry of the work that is going on what only the work knows. */
  note(note: AuditNote): void {
    this.drafts.getStore()?.note(note);
  }

  /** An entry of its own for what this work also does, to a record of somebody else. */
  async recordSeparately(description: AuditDescription): Promise<void> {
    await this.database.change(this.trail.statementFor(new AuditDraft(description).entry('success')));
  }

  /** Whose work is going on, as far as it has come to know. */
  get organizationId(): number | null {
    return this.drafts.getStore()?.organizationId ?? null;
  }

  /** Work for after the commit: bells, caches, answers to others. */
  afterCommit(effect: () => void | Promise<void>): void {
    const transaction = this.transactions.current();
    if (transaction === undefined) throw new Error('afterCommit was called outside of a unit of work');
    transaction.afterCommit(effect);
  }

  /** An entry of its own for what was refused before any work began. */
  async refuse(description: AuditDescription, scope: Scope, error: unknown): Promise<void> {
    await this.recordRefusal(new AuditDraft(description), scope, error);
  }

  private async perform<T>(
    description: AuditDescription,
    scope: Scope,
    work: () => Promise<T>,
    needsEntry: (result: T) => boolean,
  ): Promise<T> {
    const draft = new AuditDraft(description);
    try {
      return await this.transactions.run(
        () => this.drafts.run(draft, work),
        (result) => (needsEntry(result) ? this.trail.statementFor(draft.entry('success')) : undefined),
      );
    } catch (error) {
      await this.recordRefusal(draft, scope, error);
      throw error;
    }
  }

  private async recordRefusal(draft: AuditDraft, scope: Scope, cause: unknown): Promise<void> {
    const error = asDomainError(cause);
    if (!(error instanceof DomainError) || !recordedRefusals.has(error.kind)) return;
    const entry = draft.entry('failure', { reason: error.kind });
    const organizationId =
      entry.organizationId === undefined ? await this.owners.ownerOf(scope, resourcesOf(entry)) : entry.organizationId;
    await this.transactions.run(
      async () => undefined,
      () => this.trail.statementFor({ ...entry, organizationId }),
    );
  }
}

const resourcesOf = ({ resourceType: type, resourceId: id, parent }: AuditEntry): NamedResource[] => [
  ...(id === undefined ? [] : [{ type, id }]),
  ...(parent === undefined ? [] : [parent]),
];
