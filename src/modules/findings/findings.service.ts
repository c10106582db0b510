import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { notFound } from '../../kernel/domain-error';
import { orThrow } from '../../kernel/or-throw';
import { SEVERITIES } from '../../kernel/severity';
import { MAX_COUNT, type Page, type Slice } from '../../kernel/page';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Actor, Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { OrganizationsService } from '../organizations';
import { type KnownVulnerability, UNKNOWN_VULNERABILITY } from '../vulnerabilities';
import { AssetTotalsRepository } from './changes/data/asset-totals.repository';
import type { Finding, FindingWithCheck, LockedFinding, MayBeAccepted } from './data/finding.entity';
import type { FindingHistory } from './data/finding-history.entity';
import { FindingHistoryRepository } from './changes/data/finding-history.repository';
import {
  type FindingFilter,
  type FindingOfBuiltInCheck,
  type FindingOrder,
  FindingsRepository,
  type TestedFinding,
} from './changes/data/findings.repository';
import {
  FINDING_STATUS,
  type FindingStatus,
  requestedChange,
  requireValidUntil,
  needsAdmin,
} from './domain/finding-status';
import type { Totals } from './domain/asset-totals';
import { fingerprintOfCheck } from './domain/fingerprint';
import { requireNotMerged } from './domain/merge';
import { explainPriority, type PriorityExplanation } from './domain/priority';
import { riskScore } from './domain/risk-score';
import type { FindingVerification } from './domain/verification';
import { FindingVulnerabilities } from './changes/finding-vulnerabilities';
import { FindingStatusWriter, type TransitionDetails } from './changes/finding-status-writer';
import { type FindingDraft, FindingRecorder, type RecordingResult } from './scans/finding-recorder';

export type OpenFindings = Omit<Totals, 'findings'>;

export interface AssetTotals {
  readonly findings: number;
  /** The number of open findings in each severity, without those that do not count for the risk score. */
  readonly open: OpenFindings;
  readonly riskScore: string;
}

export interface StatusChange extends TransitionDetails {
  readonly status: FindingStatus;
}

/** A check that an admin accepted, with the asset that it applies to. */
export interface AcceptedCheckOfFinding {
  readonly checkId: string;
  readonly assetId: number;
  readonly assetValue: string;
  readonly reason: string;
  readonly until: Date;
  readonly acceptedBy: string;
}

/** By the id of the finding; only findings whose check is accepted. */
export type FindAcceptedChecks = (
  organizationId: number,
  findings: readonly FindingOfBuiltInCheck[],
) => Promise<ReadonlyMap<number, AcceptedCheckOfFinding>>;

/** A finding with all that its presentation shows. */
export type PresentedFinding = Finding & {
  readonly acceptedCheck?: AcceptedCheckOfFinding | undefined;
  readonly vulnerability: KnownVulnerability;
};

/** A finding with the reasons of its priority. */
export interface ExplainedFinding extends PriorityExplanation {
  readonly finding: Finding;
  readonly vulnerability: KnownVulnerability;
}

/** Of an asset without findings. */
export const NO_FINDINGS: AssetTotals = {
  findings: 0,
  open: { cosmic: 0, critical: 0, high: 0, medium: 0, low: 0 },
  riskScore: riskScore({}),
};

type Outcome = ReturnType<typeof requestedChange>;

const DETACH_BATCH_SIZE = 5_000;

const findingNotFound = () => notFound('Finding');

@Injectable()
export class FindingsService {
  private findAcceptedChecks: FindAcceptedChecks | undefined;

  constructor(
    private readonly findings: FindingsRepository,
    private readonly statusWriter: FindingStatusWriter,
    private readonly recorder: FindingRecorder,
    private readonly vulnerabilities: FindingVulnerabilities,
    private readonly historyEntries: FindingHistoryRepository,
    private readonly totals: AssetTotalsRepository,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  @OwnerOf('finding')
  ownerOf(scope: Scope, id: string): Promise<number | undefined> {
    return this.findings.findOrganization(scope, Number(id));
  }

  /** Registers the search for accepted checks. The module of the assets does it, because they belong to assets. */
  registerAcceptedChecks(find: FindAcceptedChecks): void {
    this.findAcceptedChecks = find;
  }

  /**
   * Keeps the findings of an asset that is deleted. In batches, because one statement for tens of thousands of findings
   * would exceed its time limit at every attempt.
   */
  async detachFromAsset(assetId: number): Promise<void> {
    for (let count = DETACH_BATCH_SIZE; count === DETACH_BATCH_SIZE;) {
      count = await this.findings.detachSome(assetId, DETACH_BATCH_SIZE);
    }
  }

  async get(scope: Scope, id: number): Promise<Finding> {
    return orThrow(await this.findings.findOne(scope, id), findingNotFound);
  }

  async getPresented(scope: Scope, id: number): Promise<PresentedFinding> {
    const finding = orThrow(await this.findings.findOne(scope, id), findingNotFound);
    return orThrow((await this.presented([finding]))[0], findingNotFound);
  }

  /** Why it has its priority, with what is known about its CVE. The copies in the finding decide, until they are updated. */
  async priority(scope: Scope, id: number): Promise<ExplainedFinding> {
    const finding = orThrow(await this.findings.findOne(scope, id), findingNotFound);
    const [{ vulnerability } = { vulnerability: UNKNOWN_VULNERABILITY }] = await this.vulnerabilities.addTo([finding]);
    const { severity, assetTier: tier, epss, kev } = finding;
    return { finding, vulnerability, ...explainPriority({ severity: SEVERITIES[severity], tier, epss, kev }) };
  }

  /** Throws if the finding belongs to another organization, also to one that the scope contains. */
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

  async list(
    scope: Scope,
    organizationId: number,
    filter: FindingFilter,
    order: FindingOrder,
    page: Page,
  ): Promise<Slice<PresentedFinding>> {
    const { id } = await this.organizations.get(scope, organizationId);
    return this.sliceOf(await this.findings.listForOrganization(scope, id, filter, order, page));
  }

  /** The number of findings with each status, up to `MAX_COUNT + 1`. */
  async countByStatus(scope: Scope, organizationId: number): Promise<ReadonlyMap<FindingStatus, number>> {
    const { id } = await this.organizations.get(scope, organizationId);
    const rows = await this.findings.countByStatus(scope, id, Object.values(FINDING_STATUS), MAX_COUNT + 1);
    return new Map(rows.map(({ status, count }) => [status, count]));
  }

  async listForEvent(
    scope: Scope,
    slug: string,
    filter: FindingFilter,
    order: FindingOrder,
    page: Page,
  ): Promise<Slice<PresentedFinding>> {
    return this.sliceOf(await this.findings.listForEvent(scope, slug, filter, order, page));
  }

  /** Newest first. The caller has read the asset in scope. */
  async listForVisibleAsset(organizationId: number, assetId: number, limit: number): Promise<PresentedFinding[]> {
    return this.presented(await this.findings.listForVisibleAsset(organizationId, assetId, limit));
  }

  async history(scope: Scope, id: number, page: Page): Promise<Slice<FindingHistory>> {
    if ((await this.findings.findOrganization(scope, id)) === undefined) throw findingNotFound();
    return this.historyEntries.listForVisible(id, page);
  }

  /** Whether the finding is resolved, without a change of its status since then. */
  isResolvedSince({ id, organizationId }: Pick<Finding, 'id' | 'organizationId'>, since: Date): Promise<boolean> {
    return this.historyEntries.isResolvedSince(organizationId, id, since);
  }

  /** For assets that the caller has read in scope. The map contains each of them. */
  async totalsOf(assetIds: readonly number[]): Promise<Map<number, AssetTotals>> {
    const totals = new Map(assetIds.map((id) => [id, NO_FINDINGS]));
    for (const row of await this.totals.listForVisible(assetIds)) {
      const { findings, cosmic, critical, high, medium, low } = row;
      totals.set(row.assetId, { findings, open: { cosmic, critical, high, medium, low }, riskScore: riskScore(row) });
    }
    return totals;
  }

  /** Locks the finding for a change of its status. */
  async lock(scope: Scope, id: number): Promise<LockedFinding> {
    return orThrow(await this.findings.lockOne(scope, id), findingNotFound);
  }

  /** Changes the status for a person, whose required role depends on the transition. */
  async changeStatus(caller: Caller, id: number, { status: to, ...details }: StatusChange): Promise<Outcome> {
    requireValidUntil(to, details.until ?? null, this.clock.now());
    const finding = await this.lock(caller.scope, id);
    const { status: from, organizationId } = finding;
    this.unitOfWork.note({ organizationId, metadata: { from, to, until: details.until?.toISOString() } });
    caller.requireRole(needsAdmin(from, to) ? 'admin' : 'member', organizationId);
    await this.unitOfWork.checkCondition();
    requireNotMerged(finding);
    return this.changeLocked(caller.actor, finding, to, details);
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

  /** Stores what a test by this check has shown. It does not change the status: people decide. */
  saveVerification(
    tested: TestedFinding,
    verification: FindingVerification,
    options: { readonly waits: boolean },
  ): Promise<void> {
    return this.findings.saveVerification(tested, verification, options);
  }

  /** Records a finding, or that it was seen again. The caller adds the metadata of the audit entry. */
  record(actor: Actor, draft: FindingDraft): Promise<RecordingResult> {
    return this.recorder.record(actor, draft);
  }

  /** A locked finding of a built-in check keeps its id, history and status at the place that it is about. */
  async relocate(actor: Actor, finding: LockedFinding, checkId: string, location: string): Promise<void> {
    const fingerprint = Buffer.from(fingerprintOfCheck(checkId, location), 'hex');
    if (!(await this.findings.saveLocation(finding.id, location, fingerprint))) return;
    await this.historyEntries.addNote(actor, finding, `Its location now names the parameter: ${location}`);
  }

  private async sliceOf(slice: Slice<Finding & MayBeAccepted>): Promise<Slice<PresentedFinding>> {
    return { ...slice, items: await this.presented(slice.items) };
  }

  private async presented(findings: (Finding & MayBeAccepted)[]): Promise<PresentedFinding[]> {
    return this.vulnerabilities.addTo(await this.withAcceptedChecks(findings));
  }

  /** For findings of one organization. Two statements for all of them, and none if the organization has accepted no check. */
  private async withAcceptedChecks(
    findings: (Finding & MayBeAccepted)[],
  ): Promise<(Finding & Pick<PresentedFinding, 'acceptedCheck'>)[]> {
    const [first] = findings;
    if (first?.mayBeAccepted !== true) return findings;
    if (this.findAcceptedChecks === undefined)
      throw new Error('No module has registered the search for accepted checks.');
    const tested = await this.findings.listOfBuiltInChecks(findings.map(({ id }) => id));
    const accepted = await this.findAcceptedChecks(first.organizationId, tested);
    return findings.map((finding) => ({ acceptedCheck: accepted.get(finding.id), ...finding }));
  }
}
