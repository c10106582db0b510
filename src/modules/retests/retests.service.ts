import { Injectable } from '@nestjs/common';
import type { SignedEvidence } from '../../engine';
import { Clock } from '../../kernel/clock';
import { uuidV7 } from '../../kernel/uuid-v7';
import { orThrow } from '../../kernel/or-throw';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { Work } from '../../platform/work/work';
import { type Event, EventsService } from '../events';
import {
  type Finding,
  FindingsService,
  type LockedFinding,
  isTestable,
  requireNotMerged,
  testOfFinding,
} from '../findings';
import { OrganizationsService } from '../organizations';
import type { Retest } from './data/retest.entity';
import { RetestsRepository, type StartedRetest } from './data/retests.repository';
import {
  neverRetested,
  notLaunchable,
  notRetestable,
  retestNotOver,
  tooManyUnfinishedRetests,
} from './domain/retest.errors';
import type { RetestProgress } from './domain/retest-progress';
import {
  cancelRetest,
  isRetestOver,
  KEPT_OF_FINDING,
  requireVerdictByHand,
  type RetestResult,
} from './domain/retest-status';
import { RetestEnding } from './retest-ending';
import { RetestPermission } from './retest-permission';

export const RETEST_KIND = 'retest.run';

/** Per organization, including those that wait for a verdict by hand. */
const MAX_UNFINISHED = 200;

/** A finding, optionally as one of the findings of an event. */
export interface FindingReference {
  readonly findingId: number;
  readonly eventSlug?: string;
}

export interface RetestView {
  readonly retest: Retest;
  /** Among the retests of its organization that wait for a worker; null when it does not wait for one. */
  readonly position: number | null;
}

/** A retest, and what its worker shows of it while it runs. */
export interface RetestAtWork extends RetestView {
  /** Null before the worker has shown something, and when the retest is over. */
  readonly progress: RetestProgress | null;
}

interface Locked {
  readonly finding: LockedFinding;
  readonly retest: Retest;
}

@Injectable()
export class RetestsService {
  constructor(
    private readonly retests: RetestsRepository,
    private readonly findings: FindingsService,
    private readonly organizations: OrganizationsService,
    private readonly events: EventsService,
    private readonly permission: RetestPermission,
    private readonly ending: RetestEnding,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** For the organization of a record that the caller has read in scope. */
  listTestedSince(organizationId: number, since: Date): Promise<number[]> {
    return this.retests.listTestedSince(organizationId, since);
  }

  /** Of an organization that the caller has checked. */
  listStartedOfVisible(organizationId: number, uuids: readonly string[]): Promise<StartedRetest[]> {
    return this.retests.listStartedOfVisible(organizationId, uuids);
  }

  @OwnerOf('retest')
  async ownerOf(scope: Scope, uuid: string): Promise<number | undefined> {
    return (await this.retests.findOne(scope, uuid))?.organizationId;
  }

  /** A retest without a check that can run waits for a verdict by hand and is not enqueued. */
  async start(caller: Caller, { findingId, eventSlug }: FindingReference): Promise<RetestView> {
    const event = await this.eventOf(caller.scope, eventSlug);
    const { organizationId } = await this.findingIn(caller.scope, event, findingId);
    this.unitOfWork.note({ organizationId, metadata: { finding_id: findingId, event: eventSlug } });
    caller.requireRole('member', organizationId);
    await this.organizations.lockForCounting(caller.scope, organizationId);
    const finding = await this.findings.lock(caller.scope, findingId);
    requireNotMerged(finding);
    const { assetId, beaconId, status } = finding;
    if (!isTestable(status)) throw notRetestable();
    const test = testOfFinding(finding);
    const target = { organizationId, assetId, eventSlug: event?.slug ?? null };
    if (test?.forbidden != null) throw notLaunchable(test.forbidden);
    const repeats = { findingId, checkDefinition: finding.checkDefinition };
    const launch = test && (await this.permission.evaluate(caller.scope, { ...target, ...test, repeats }));
    if (launch?.launchable === false) throw notLaunchable(launch.reason);
    const { checkId, checkDefinition } = test === null ? { checkId: null, checkDefinition: null } : finding;
    const unfinished = await this.retests.countUnfinishedOfLocked(organizationId);
    if (unfinished >= MAX_UNFINISHED) throw tooManyUnfinishedRetests(MAX_UNFINISHED);
    await this.retests.removeOld(findingId, KEPT_OF_FINDING);
    const uuid = uuidV7(this.clock.now().getTime());
    const startedBy = caller.waitingUserId;
    const retest = await this.retests.add({
      ...target,
      beaconId,
      uuid,
      findingId,
      checkId,
      checkDefinition,
      startedBy,
    });
    this.unitOfWork.note({ resourceId: uuid, metadata: { check: checkId } });
    if (assetId !== null && test !== null) {
      await this.work.enqueue({ kind: RETEST_KIND, reference: uuid, organizationId, assetId, eventId: event?.id });
    }
    return this.viewOf(retest);
  }

  /** The last retest of the finding. */
  async get(scope: Scope, { findingId, eventSlug }: FindingReference): Promise<Retest> {
    const event = await this.eventOf(scope, eventSlug);
    await this.findingIn(scope, event, findingId);
    return this.lastOf(findingId);
  }

  /** The last one of a finding that the caller has read in scope. */
  findLastOfVisible(findingId: number): Promise<Retest | undefined> {
    return this.retests.findLastOfVisible(findingId);
  }

  async view(scope: Scope, reference: FindingReference): Promise<RetestView> {
    return this.viewOf(await this.get(scope, reference));
  }

  async atWork(scope: Scope, reference: FindingReference): Promise<RetestAtWork> {
    const view = await this.view(scope, reference);
    const { retest } = view;
    const work = isRetestOver(retest.status) ? undefined : await this.work.findUnfinished(RETEST_KIND, retest.uuid);
    return { ...view, progress: (work?.progress ?? null) as RetestProgress | null };
  }

  async evidence(scope: Scope, findingId: number): Promise<{ retest: Retest; evidence: SignedEvidence | null }> {
    const retest = await this.get(scope, { findingId });
    if (!isRetestOver(retest.status)) throw retestNotOver();
    return { retest, evidence: await this.retests.findEvidenceOfVisible(retest.id) };
  }

  async giveVerdict(
    caller: Caller,
    findingId: number,
    { result, comment }: { result: RetestResult; comment: string | null },
  ): Promise<Retest> {
    const { finding, retest } = await this.lockLast(caller, findingId, 'admin');
    requireNotMerged(finding);
    requireVerdictByHand(retest.status);
    await this.ending.end(caller.actor, finding, retest, { result, reason: comment, evidence: null });
    return this.lastOf(findingId);
  }

  async cancel(caller: Caller, findingId: number): Promise<Retest> {
    const { retest } = await this.lockLast(caller, findingId, 'member');
    this.unitOfWork.note({ metadata: { from: retest.status, to: 'canceled' } });
    if (cancelRetest(retest.status) === 'unchanged') return retest;
    const end = { status: 'canceled', result: null, reason: 'It was canceled.', evidence: null } as const;
    await this.retests.end(retest.id, end);
    return this.lastOf(findingId);
  }

  /** Ends a retest in place of the worker: cancels its work first, then locks in the order in which the worker locks. */
  private async lockLast(caller: Caller, findingId: number, role: 'member' | 'admin'): Promise<Locked> {
    const { organizationId } = await this.findings.get(caller.scope, findingId);
    this.unitOfWork.note({ organizationId, metadata: { finding_id: findingId } });
    caller.requireRole(role, organizationId);
    const { uuid } = await this.lastOf(findingId);
    this.unitOfWork.note({ resourceId: uuid });
    await this.work.cancel(RETEST_KIND, uuid);
    const finding = await this.findings.lock(caller.scope, findingId);
    const retest = orThrow(await this.retests.lockOne(caller.scope, uuid), neverRetested);
    return { finding, retest };
  }

  private async viewOf(retest: Retest): Promise<RetestView> {
    const position = retest.status === 'pending' ? await this.work.positionOf(RETEST_KIND, retest.uuid) : null;
    return { retest, position };
  }

  private async lastOf(visibleFindingId: number): Promise<Retest> {
    return orThrow(await this.retests.findLastOfVisible(visibleFindingId), neverRetested);
  }

  /** With an event, the finding must be one of those that were seen in it. */
  private findingIn(scope: Scope, event: Event | undefined, id: number): Promise<Finding> {
    return event === undefined ? this.findings.get(scope, id) : this.findings.getInEvent(scope, event.id, id);
  }

  private async eventOf(scope: Scope, slug: string | undefined): Promise<Event | undefined> {
    return slug === undefined ? undefined : this.events.get(scope, slug);
  }
}
