import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { preconditionFailed } from '../../../kernel/domain-error';
import type { Caller } from '../../../platform/api/caller';
import { everything } from '../../../platform/api/scope';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import type { Claim } from '../../../platform/work/claim';
import { workAudit } from '../../../platform/work/work-audit';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { Callers } from '../../identity';
import type { StoredSelection } from '../data/finding-selection.entity';
import { FindingSelectionsRepository } from '../data/finding-selections.repository';
import {
  actionOf,
  isAsLeft,
  type RefusedItem,
  type SelectedItem,
  type SelectionStatus,
  undoOf,
} from '../domain/selection';
import { type BulkPart, FindingBulkService } from '../finding-bulk.service';
import { SELECTION_KIND } from '../finding-selections.service';

const scope = everything('a worker runs the selections of all organizations');

const PORTION = 100;

const changedSince = () => preconditionFailed('It was changed after the dry run.');
const changedAgain = () => preconditionFailed('Someone has changed the field again.');

/**
 * Changes the findings of a selection in portions, in the name and with the role that its user has at each portion. Each finding
 * is marked in the transaction that changes it, so that another worker continues with those that are left.
 */
@Injectable()
@WorkKind(SELECTION_KIND)
export class SelectionRun implements WorkHandler {
  readonly maxConcurrent = 3;
  readonly isOnePerOrganization = true;

  constructor(
    private readonly selections: FindingSelectionsRepository,
    private readonly bulk: FindingBulkService,
    private readonly callers: Callers,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const selection = await this.find(claim);
    if (selection === undefined) return this.ending(claim, 'failed');
    for (let items = await this.next(selection, signal); items.length > 0; items = await this.next(selection, signal)) {
      const caller = await this.callers.find(selection.userId);
      if (caller === undefined) return this.ending(claim, 'failed');
      await this.runPortion(claim, selection, caller, items);
    }
    return this.ending(claim, selection.status === 'undoing' ? 'undone' : 'finished');
  }

  abandon(claim: Claim, reason: string): Completion {
    return this.ending(claim, 'failed', { reason });
  }

  private find({ organizationId, reference }: Claim): Promise<StoredSelection | undefined> {
    return this.selections.findOne(scope, organizationId ?? 0, Number(reference));
  }

  private next(selection: StoredSelection, signal: AbortSignal): Promise<SelectedItem[]> {
    signal.throwIfAborted();
    return this.selections.listNext(selection, PORTION);
  }

  /** With an entry of its own in the audit log, beside that of each finding. */
  private async runPortion(
    claim: Claim,
    selection: StoredSelection,
    caller: Caller,
    items: SelectedItem[],
  ): Promise<void> {
    const operation = selection.status === 'undoing' ? 'finding.bulk_undo' : 'finding.bulk_change';
    const description = { ...workAudit(claim, { operation, resourceType: 'finding_selection' }), actor: caller.actor };
    await this.unitOfWork.run(description, caller.scope, async () => {
      const parts = items.map((item) => this.partOf(selection, item));
      const results = await this.bulk.applyParts(caller, parts, selection.organizationId);
      const refused = results.flatMap(({ findingId, error }) =>
        error === null ? [] : [{ findingId, result: resultOf(selection, error.kind), reason: error.message }],
      );
      if (refused.length > 0) await this.selections.saveRefused(selection, refused);
    });
  }

  /** Refuses the change if the finding was changed meanwhile, also by another worker. */
  private partOf(selection: StoredSelection, item: SelectedItem): BulkPart {
    const { organizationId, status } = selection;
    const { findingId, before, after } = item;
    const action = actionOf(selection);
    const undo = status === 'undoing' && action.kind === 'change' ? undoOf(action.change, item) : undefined;
    return {
      findingId,
      action: undo === undefined ? action : { kind: 'change', change: undo },
      requireAsShown: async () => {
        const now = await this.selections.findFinding(organizationId, findingId);
        if (undo !== undefined && now !== undefined && !isAsLeft(undo, after, now)) throw changedAgain();
        if (undo === undefined && !isDeepStrictEqual(before, now)) throw changedSince();
      },
      done: async () => {
        if (!(await this.selections.saveDone(selection, findingId))) throw new Error('Another worker has done it.');
      },
    };
  }

  private ending(claim: Claim, status: SelectionStatus, metadata?: Record<string, unknown>): Completion {
    return {
      audit: workAudit(claim, {
        operation: 'finding_selection.finish',
        resourceType: 'finding_selection',
        metadata: { status, ...metadata },
      }),
      apply: async () => {
        const selection = await this.find(claim);
        if (selection !== undefined) await this.selections.saveStatus(selection, status);
      },
    };
  }
}

const resultOf = ({ status }: StoredSelection, kind: string): RefusedItem['result'] =>
  status === 'undoing' ? 'kept' : kind === 'precondition_failed' ? 'skipped' : 'refused';
