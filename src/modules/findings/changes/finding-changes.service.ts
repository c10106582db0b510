import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { notFound, unprocessable } from '../../../kernel/domain-error';
import { orThrow } from '../../../kernel/or-throw';
import type { Caller } from '../../../platform/api/caller';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { Work } from '../../../platform/work/work';
import { MembersService } from '../../identity';
import type { Finding, LockedFinding } from '../data/finding.entity';
import { FindingHistoryRepository } from './data/finding-history.repository';
import { FindingsRepository, type WorkFields } from './data/findings.repository';
import { unsafeMethodsOf } from '../domain/check-definition';
import { type FieldChange, workChanges } from '../domain/field-change';
import { INITIAL_VERIFICATION_KIND, initialVerificationReference } from '../domain/initial-verification';
import { normalizeLabels } from '../domain/labels';
import { requireNotMerged } from '../domain/merge';
import { requireReferences } from '../domain/references';
import { type FindingEdit, FindingEditor, type PreparedEdit } from './finding-editor';
import { FindingVulnerabilities } from './finding-vulnerabilities';
import type { PresentedFinding } from './presented-finding';

/** Absent fields stay as they are; null removes the value. */
export interface FindingChange {
  readonly edit?: FindingEdit;
  readonly assigneeId?: number | null;
  readonly dueDate?: string | null;
  /** False if the SLA may still change the due date. True by default: people set due dates. */
  readonly dueByHand?: boolean;
  /** Replaces all labels. */
  readonly labels?: readonly string[];
  readonly addLabels?: readonly string[];
  readonly removeLabels?: readonly string[];
  /** Replaces all references. */
  readonly references?: readonly string[];
  /** Whether its check may change state on the target. Only admins may set it. */
  readonly allowUnsafe?: boolean;
}

/** The fields that decide whether a change of assignee, due date or labels has an effect. */
type ChangeableFinding = Pick<LockedFinding, 'assigneeId' | 'dueDate' | 'dueByHand' | 'labels'>;

const NOT_CHANGED_IN_BULK = { assignedBy: null, deadlineStart: null, references: [], allowUnsafe: false };

const findingNotFound = () => notFound('Finding');

const changesNothing = () =>
  unprocessable(
    'allow_unsafe: the finding has no YAML check with methods other than GET, HEAD and OPTIONS, so there is nothing to allow.',
  );

const assigneeIsNoMember = (userId: number, organizationId: number) =>
  unprocessable(`assignee_id ${userId} is not the id of a member of organization ${organizationId}.`);

/** Changes the assignee, the due date, the labels and references of findings, and what their checks may do. */
@Injectable()
export class FindingChangesService {
  constructor(
    private readonly findings: FindingsRepository,
    private readonly history: FindingHistoryRepository,
    private readonly vulnerabilities: FindingVulnerabilities,
    private readonly members: MembersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly work: Work,
    private readonly editor: FindingEditor,
  ) {}

  async change(caller: Caller, id: number, change: FindingChange): Promise<PresentedFinding> {
    const edit = await this.editor.prepare(caller, change.edit);
    const organizationId = orThrow(await this.findings.findOrganization(caller.scope, id), findingNotFound);
    await this.changePrepared(caller, { id, organizationId }, change, edit);
    const after = orThrow(await this.findings.findOne(caller.scope, id), findingNotFound);
    return orThrow((await this.vulnerabilities.addTo([after]))[0], findingNotFound);
  }

  /**
   * Changes a finding that the caller has read in scope. `requireAsShown` throws if the locked finding is not as it was shown.
   * The membership is locked before the finding, as when a member is removed. Returns the finding as it was before.
   */
  async changeVisible(
    caller: Caller,
    finding: Pick<Finding, 'id' | 'organizationId'>,
    change: FindingChange,
    requireAsShown?: (finding: LockedFinding) => void,
  ): Promise<LockedFinding> {
    const edit = await this.editor.prepare(caller, change.edit);
    return this.changePrepared(caller, finding, change, edit, requireAsShown);
  }

  /** The membership is locked, so that it does not end before the change. */
  async requireAssignable(organizationId: number, assigneeId: FindingChange['assigneeId']): Promise<void> {
    if (assigneeId != null && !(await this.members.lockMembership(organizationId, assigneeId)))
      throw assigneeIsNoMember(assigneeId, organizationId);
  }

  /**
   * Whether the change would have an effect on a finding that a member has read in scope and that is not merged. Throws what
   * `changeVisible` would throw.
   */
  wouldChange(caller: Caller, finding: ChangeableFinding, change: FindingChange): boolean {
    const before = { ...NOT_CHANGED_IN_BULK, ...finding };
    return Object.keys(differences(before, changedFields(caller, before, change))).length > 0;
  }

  private async changePrepared(
    caller: Caller,
    { id, organizationId }: Pick<Finding, 'id' | 'organizationId'>,
    change: FindingChange,
    edit: PreparedEdit | undefined,
    requireAsShown?: (finding: LockedFinding) => void,
  ): Promise<LockedFinding> {
    this.requireMember(caller, organizationId);
    const { assigneeId, allowUnsafe } = change;
    if (allowUnsafe !== undefined) caller.requireRole('admin', organizationId);
    if (edit !== undefined) await this.editor.lockSla(caller, organizationId);
    await this.requireAssignable(organizationId, assigneeId);
    const finding = await this.lock(caller, id);
    await this.unitOfWork.checkCondition();
    requireAsShown?.(finding);
    requireNotMerged(finding);
    if (allowUnsafe === true && unsafeMethodsOf(finding).length === 0) throw changesNothing();
    const changed = changedFields(caller, finding, change);
    await this.findings.saveWorkFields(id, changed);
    const noted = workChanges(finding, changed);
    if (noted.length > 0) await this.history.addEdit(caller.actor, finding, noted, null);
    const edited = edit === undefined ? [] : await this.editor.apply(caller, { ...finding, ...changed }, edit);
    const changes = { ...differences(finding, changed), ...auditedEdits(edited) };
    this.unitOfWork.note({ metadata: { changes, ...(edited.length > 0 && edit?.reason && { reason: edit.reason }) } });
    if (changed.allowUnsafe && !finding.allowUnsafe) await this.verifyAgain(finding);
    return finding;
  }

  /** The new permission lets the check run for the first time, so there is no baseline yet. */
  private async verifyAgain({ id, organizationId, assetId, eventId, checkDefinition }: LockedFinding): Promise<void> {
    if (assetId === null || eventId === null) return;
    const reference = initialVerificationReference(id, eventId, checkDefinition);
    await this.work.enqueue({ kind: INITIAL_VERIFICATION_KIND, reference, organizationId, assetId, eventId });
  }

  private requireMember(caller: Caller, organizationId: number): void {
    this.unitOfWork.note({ organizationId });
    caller.requireRole('member', organizationId);
  }

  private async lock({ scope }: Caller, id: number): Promise<LockedFinding> {
    return orThrow(await this.findings.lockOne(scope, id), findingNotFound);
  }
}

function changedFields({ facts }: Caller, finding: WorkFields, change: FindingChange): WorkFields {
  const { assigneeId = finding.assigneeId, dueDate = finding.dueDate } = change;
  const removed = new Set(normalizeLabels(change.removeLabels ?? []));
  const kept = (change.labels ?? finding.labels).filter((label) => !removed.has(label));
  return {
    assigneeId,
    assignedBy: assigneeId === finding.assigneeId ? finding.assignedBy : facts.userId,
    dueDate,
    dueByHand: change.dueByHand ?? (finding.dueByHand || change.dueDate !== undefined),
    deadlineStart: finding.deadlineStart,
    labels: normalizeLabels([...kept, ...(change.addLabels ?? [])]),
    references: change.references === undefined ? finding.references : requireReferences(change.references),
    allowUnsafe: change.allowUnsafe ?? finding.allowUnsafe,
  };
}

const LONG_FIELDS: ReadonlySet<string> = new Set(['md', 'remediation', 'evidence']);

/** The audit entry leaves out long texts: the history has them, and they may contain a secret. */
const auditedEdits = (changes: readonly FieldChange[]): Record<string, unknown> =>
  Object.fromEntries(changes.map(({ field, from, to }) => [field, LONG_FIELDS.has(field) ? 'changed' : { from, to }]));

/** For the audit entry, under the names of the API. */
function differences(from: WorkFields, to: WorkFields): Record<string, { from: unknown; to: unknown }> {
  const fields = {
    assignee_id: 'assigneeId',
    due_date: 'dueDate',
    labels: 'labels',
    references: 'references',
    allow_unsafe: 'allowUnsafe',
  } as const;
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]) => !isDeepStrictEqual(from[field], to[field]))
      .map(([name, field]) => [name, { from: from[field], to: to[field] }]),
  );
}
