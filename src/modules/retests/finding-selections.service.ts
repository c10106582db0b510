import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { conflict, DomainError, invalid, notFound, unprocessable } from '../../kernel/domain-error';
import { HOUR_MS, MINUTE_MS } from '../../kernel/durations';
import type { Caller } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { TenantTurns } from '../../platform/work/tenant-turns';
import { Work } from '../../platform/work/work';
import { Scheduled } from '../../platform/work/work-handler';
import { FindingChangesService, type FindingFilter, FindingLists } from '../findings';
import type { StoredSelection } from './data/finding-selection.entity';
import { FindingSelectionsRepository } from './data/finding-selections.repository';
import type { SelectionOutcome, SelectionStatus } from './domain/selection';
import { type BulkAction, FindingBulkService, type ShownFinding } from './finding-bulk.service';

export const SELECTION_KIND = 'finding.selection';

/** As many findings as lists count. */
const MAX_SELECTED = 10_000;
const VALID_MS = HOUR_MS;
const UNDO_MS = 10 * MINUTE_MS;
/** Findings that are looked at in one turn: each may have twenty labels. */
const TURN = 250;

const scope = everything('old selections of all organizations are removed');

export interface FindingSelection extends StoredSelection {
  /** The outcomes of the dry run, until it is run. */
  readonly outcomes: readonly SelectionOutcome[];
  readonly done: number;
  /** Until when it can be run, or undone. */
  readonly until: Date | null;
}

export const isSelectionUndoable = ({ kind }: BulkAction): boolean => kind === 'change';

/** Changes of all findings of a filter: a dry run, its run in the background, and undoing it. Each is of its user alone. */
@Injectable()
export class FindingSelectionsService {
  constructor(
    private readonly selections: FindingSelectionsRepository,
    private readonly lists: FindingLists,
    private readonly changes: FindingChangesService,
    private readonly bulk: FindingBulkService,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly turns: TenantTurns,
  ) {}

  /** The dry run. It changes nothing, and returns the id that runs it. */
  async create(caller: Caller, organizationId: number, filter: FindingFilter, action: BulkAction): Promise<number> {
    const ids = await this.lists.listIds(caller.scope, organizationId, filter, MAX_SELECTED + 1);
    this.unitOfWork.note({ organizationId, metadata: { action: action.kind, dry_run: true } });
    caller.requireRole('member', organizationId);
    if (action.kind === 'retest' || filter.mergedInto !== undefined)
      throw invalid('A selection starts no retests, and has no merged findings: select their main findings.');
    if (ids.length === 0) throw unprocessable('No finding matches this filter. Change the filter.');
    if (ids.length > MAX_SELECTED)
      throw unprocessable(`More than ${MAX_SELECTED} findings match, which is the limit. Narrow the filter.`);
    if (action.kind === 'change') await this.changes.requireAssignable(organizationId, action.change.assigneeId);
    const dryRun = await this.outcomesOf(caller, organizationId, ids, action);
    const id = await this.selections.add({ organizationId, userId: caller.facts.userId, action, dryRun }, ids);
    this.unitOfWork.note({ metadata: { selection_id: id, findings: ids.length } });
    return id;
  }

  async get(caller: Caller, organizationId: number, id: number): Promise<FindingSelection> {
    const found = requireOwn(caller, await this.selections.findOne(caller.scope, organizationId, id));
    const { status, created, finished, action, dryRun, findings } = found;
    const outcomes = status === 'ready' ? dryRun : await this.selections.listOutcomesOfVisible(found);
    const isLeft = status === 'undoing' ? 'changed' : null;
    const left = outcomes.find(({ result }) => result === isLeft)?.findings ?? 0;
    const undoUntil = isEnded(status) && finished && isSelectionUndoable(action) ? finished.getTime() + UNDO_MS : null;
    const until = status === 'ready' ? created.getTime() + VALID_MS : undoUntil;
    const done = status === 'ready' ? 0 : findings - left;
    return { ...found, outcomes, done, until: until === null ? null : new Date(until) };
  }

  async run(caller: Caller, organizationId: number, id: number): Promise<void> {
    const { status, created } = await this.lock(caller, organizationId, id);
    if (status !== 'ready') throw conflict('This selection was run already. Select the findings again.');
    if (this.isOver(created, VALID_MS))
      throw unprocessable('This dry run is older than an hour. Select the findings again.');
    await this.start(organizationId, id, 'running');
  }

  async undo(caller: Caller, organizationId: number, id: number): Promise<void> {
    const { status, finished, action } = await this.lock(caller, organizationId, id);
    if (!isSelectionUndoable(action)) throw conflict('Statuses and comments cannot be undone.');
    if (!isEnded(status) || finished === null) throw conflict('There is nothing to undo. Read the selection again.');
    if (this.isOver(finished, UNDO_MS)) throw unprocessable('A change can be undone for ten minutes after its end.');
    await this.start(organizationId, id, 'undoing');
  }

  @Scheduled({ name: 'finding.selection_removal', everySeconds: 3_600 })
  async removeOld(): Promise<void> {
    await this.turns.sweep('finding.selection_removal', scope, (part) => this.selections.removeOld(part));
  }

  /** What the action would do with findings that were read in scope. */
  private async outcomesOf(caller: Caller, organizationId: number, ids: readonly number[], action: BulkAction) {
    const outcomes = new Map<string, SelectionOutcome>();
    for (let at = 0; at < ids.length; at += TURN)
      for (const { state, findings } of await this.selections.listStates(organizationId, ids.slice(at, at + TURN))) {
        const outcome = await this.outcomeOf(caller, { organizationId, ...state }, action);
        const key = outcome.reason ?? outcome.result;
        const known = outcomes.get(key)?.findings ?? 0;
        outcomes.set(key, { ...outcome, findings: known + findings, findingIds: [] });
      }
    return [...outcomes.values()];
  }

  private async outcomeOf(caller: Caller, finding: ShownFinding, action: BulkAction) {
    try {
      const isChanged = await this.bulk.wouldChange(caller, finding, action);
      return { result: isChanged ? 'changed' : 'unchanged', reason: null } as const;
    } catch (error) {
      if (error instanceof DomainError) return { result: 'refused', reason: error.message } as const;
      throw error;
    }
  }

  private isOver(from: Date, ms: number): boolean {
    return this.clock.now().getTime() > from.getTime() + ms;
  }

  private async lock(caller: Caller, organizationId: number, id: number): Promise<StoredSelection> {
    const locked = requireOwn(caller, await this.selections.lockOne(caller.scope, organizationId, id));
    this.unitOfWork.note({ organizationId });
    caller.requireRole('member', organizationId);
    return locked;
  }

  private async start(organizationId: number, id: number, status: SelectionStatus): Promise<void> {
    await this.selections.saveStatus({ id, organizationId }, status);
    await this.work.enqueue({ kind: SELECTION_KIND, reference: String(id), organizationId });
  }
}

const isEnded = (status: SelectionStatus): boolean => status === 'finished' || status === 'failed';

function requireOwn({ facts }: Caller, found: StoredSelection | undefined): StoredSelection {
  if (found?.userId !== facts.userId) throw notFound('Selection');
  return found;
}
