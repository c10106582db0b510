import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { notFound } from '../../kernel/domain-error';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Actor, Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { AcceptanceRules } from './changes/acceptance-rules.service';
import { AssetTotalsRepository } from './changes/data/asset-totals.repository';
import type { Finding, FindingWithCheck, LockedFinding } from './data/finding.entity';
import type { FindingHistory } from './data/finding-history.entity';
import { FindingHistoryRepository } from './changes/data/finding-history.repository';
import { FindingsRepository, type TestedFinding } from './changes/data/findings.repository';
import { type FindingStatus, requestedChange, requireValidUntil, needsAdmin } from './domain/finding-status';
import { type AssetTotals, NO_FINDINGS, totalsFrom } from './domain/asset-totals';
import { fingerprintOfCheck } from './domain/fingerprint';
import { requireNotMerged } from './domain/merge';
import { requireJustifiable } from './domain/vex-justification';
import type { FindingVerification, SavedVerification } from './domain/verification';
import type { Decision } from './domain/observation';
import { FindingStatusWriter, type ShownByTest, type TransitionDetails } from './changes/finding-status-writer';
import type { Markdown } from './rendering/markdown-renderer';
import { type FindingDraft, FindingRecorder, type RecordingResult } from './scans/finding-recorder';

export interface StatusChange extends TransitionDetails {
  readonly status: FindingStatus;
}

type Outcome = ReturnType<typeof requestedChange>;

const DETACH_BATCH_SIZE = 5_000;

const findingNotFound = () => notFound('Finding');

@Injectable()
export class FindingsService {
  constructor(
    private readonly findings: FindingsRepository,
    private readonly statusWriter: FindingStatusWriter,
    private readonly recorder: FindingRecorder,
    private readonly historyEntries: FindingHistoryRepository,
    private readonly totals: AssetTotalsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly acceptance: AcceptanceRules,
    private readonly clock: Clock,
  ) {}

  /**
   * Keeps the findings of an asset that is deleted. It detaches them in batches, because one statement for tens of thousands of
   * findings would exceed its time limit.
   */
  async detachFromAsset(actor: Actor, assetId: number): Promise<void> {
    for (let count = DETACH_BATCH_SIZE; count === DETACH_BATCH_SIZE;) {
      count = await this.findings.detachSome(actor, assetId, DETACH_BATCH_SIZE);
    }
  }

  async get(scope: Scope, id: number): Promise<Finding> {
    return orThrow(await this.findings.findOne(scope, id), findingNotFound);
  }

  /** Throws if the finding belongs to another organization, even if that one is in scope. */
  async requireInOrganization(scope: Scope, id: number, organizationId: number): Promise<void> {
    if ((await this.findings.findOrganization(scope, id)) !== organizationId) throw findingNotFound();
  }

  /** Throws if the finding was not seen in this event. */
  async getInEvent(scope: Scope, eventId: number, id: number): Promise<Finding> {
    return orThrow(await this.findings.findInEvent(scope, eventId, id), findingNotFound);
  }

  async getWithCheck(scope: Scope, id: number): Promise<FindingWithCheck> {
    return orThrow(await this.findings.findWithCheck(scope, id), findingNotFound);
  }

  async history(scope: Scope, id: number, page: Page): Promise<Slice<FindingHistory>> {
    if ((await this.findings.findOrganization(scope, id)) === undefined) throw findingNotFound();
    return this.historyEntries.listForVisible(id, page);
  }

  /** Whether the finding is resolved, without a change of its status since then. */
  isResolvedSince({ id, organizationId }: Pick<Finding, 'id' | 'organizationId'>, since: Date): Promise<boolean> {
    return this.historyEntries.isResolvedSince(organizationId, id, since);
  }

  /** The caller has read the assets in scope. The map contains each of them. */
  async totalsOf(assetIds: readonly number[]): Promise<Map<number, AssetTotals>> {
    const totals = new Map(assetIds.map((id) => [id, NO_FINDINGS]));
    for (const row of await this.totals.listForVisible(assetIds)) totals.set(row.assetId, totalsFrom(row));
    return totals;
  }

  /** Locks the finding for a change of its status. */
  async lock(scope: Scope, id: number): Promise<LockedFinding> {
    return orThrow(await this.findings.lockOne(scope, id), findingNotFound);
  }

  /** Changes the status for a person, whose required role depends on the transition. */
  async changeStatus(caller: Caller, id: number, { status: to, ...details }: StatusChange): Promise<Outcome> {
    requireValidUntil(to, details.until ?? null, this.clock.now());
    requireJustifiable(to, details.justification ?? null);
    const finding = await this.lock(caller.scope, id);
    const { status: from, organizationId } = finding;
    const { until, justification = null } = details;
    const justified = justification === null ? {} : { justification };
    this.unitOfWork.note({ organizationId, metadata: { from, to, until: until?.toISOString(), ...justified } });
    requireRoleToChange(caller, finding, to);
    await this.unitOfWork.checkCondition();
    requireNotMerged(finding);
    if (from !== to) await this.acceptance.require(organizationId, to, details);
    return this.changeLocked(caller.actor, finding, to, details);
  }

  /**
   * Whether the change would have an effect on a finding that the caller has read in scope and that is not merged. Throws what
   * the change would throw.
   */
  async wouldChangeStatus(
    caller: Caller,
    finding: Pick<Finding, 'organizationId' | 'status'>,
    { status: to, ...details }: StatusChange,
  ): Promise<boolean> {
    requireValidUntil(to, details.until ?? null, this.clock.now());
    requireJustifiable(to, details.justification ?? null);
    requireRoleToChange(caller, finding, to);
    if (finding.status !== to) await this.acceptance.require(finding.organizationId, to, details);
    return requestedChange(finding.status, to) === 'updated';
  }

  /** Changes the status of a locked finding if the transition is allowed. The caller has checked the role. */
  async changeLocked(
    actor: Actor,
    finding: LockedFinding,
    to: FindingStatus,
    details?: TransitionDetails,
  ): Promise<Outcome> {
    const outcome = requestedChange(finding.status, to);
    if (outcome === 'updated') await this.statusWriter.apply(actor, finding, to, details);
    return outcome;
  }

  /** Adds an entry to the history that changes no field. */
  async note(
    actor: Actor,
    finding: Pick<LockedFinding, 'id' | 'organizationId' | 'status'>,
    text: string,
  ): Promise<void> {
    await this.historyEntries.addNote(actor, finding, text);
  }

  /** Applies the result of a test to a locked finding, unless something newer is known. */
  applyTest(actor: Actor, finding: LockedFinding, shown: ShownByTest, comment: string): Promise<Decision> {
    return this.statusWriter.applyTest(actor, finding, shown, comment);
  }

  /** Stores the result of a test by this check. It does not change the status, which is left to people. */
  async saveVerification(
    tested: TestedFinding,
    verification: FindingVerification,
    options: SavedVerification,
  ): Promise<void> {
    await this.findings.saveVerification(tested, verification, options);
    if (verification.result === 'confirmed') await this.recorder.raiseConfirmed(tested.id);
  }

  /** Records a finding, or that it was seen again. The caller adds the metadata of the audit entry. */
  record(actor: Actor, draft: FindingDraft): Promise<RecordingResult> {
    return this.recorder.record(actor, draft);
  }

  /** Only for a finding that this job recorded first and that nobody has edited. */
  renewText(id: number, jobUuid: string, text: Markdown): Promise<void> {
    return this.findings.saveText(id, jobUuid, text);
  }

  /** Moves the finding of a built-in check, which is locked, to a new location. It keeps its id, history and status. */
  async relocate(actor: Actor, finding: LockedFinding, checkId: string, location: string): Promise<void> {
    const fingerprint = Buffer.from(fingerprintOfCheck(checkId, location), 'hex');
    if (!(await this.findings.saveLocation(finding.id, location, fingerprint))) return;
    await this.historyEntries.addNote(actor, finding, `Its location now names the parameter: ${location}`);
  }
}

function requireRoleToChange(
  caller: Caller,
  { status: from, organizationId }: Pick<Finding, 'organizationId' | 'status'>,
  to: FindingStatus,
): void {
  caller.requireRole(needsAdmin(from, to) ? 'admin' : 'member', organizationId);
}
