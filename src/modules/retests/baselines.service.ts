import { Injectable } from '@nestjs/common';
import {
  isSameAnswer,
  isWeb,
  locationOf,
  type NewSite,
  type Refusal,
  type ShownPage,
  shownPage,
  withConfirmedRefusal,
  withConfirmedSite,
} from '../../engine';
import { Clock } from '../../kernel/clock';
import { orThrow } from '../../kernel/or-throw';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { SecondApproval } from '../approvals';
import { FindingsService, type FindingWithCheck, requireNotMerged, testOfFinding } from '../findings';
import { type BaselineOfFinding, FindingBaselinesRepository } from './data/finding-baselines.repository';
import type { Retest } from './data/retest.entity';
import { RetestsRepository } from './data/retests.repository';
import { anotherRetest, neverRetested, noNewSite, noRefusal, retestUnderWay } from './domain/retest.errors';
import { type ShownConfirmation, shownConfirmation } from './domain/shown-confirmation';
import { type ShownExperiment, shownExperiment } from './domain/shown-experiment';
import { isRetestOver } from './domain/retest-status';

const WAIT_MS = 3_600_000;

/** What a finding is compared with, and what its site looks like now, if a person may confirm that. */
export interface BaselineView {
  /** Null if the check compares no page, or the weakness was never seen. */
  readonly stored: ShownPage | null;
  readonly taken: Date | null;
  readonly confirmed: { readonly by: number; readonly at: Date; readonly countsFrom: Date } | null;
  readonly current: ShownPage | null;
  /** The retest that saw it. */
  readonly retest: string | null;
  /** What the last retest was refused with, if a person may confirm that this is the fix. */
  readonly refusal: RefusalOfRetest | null;
  readonly confirmedRefusal: ShownConfirmation | null;
  /** The experiment that showed the weakness; null if none did. */
  readonly experiment: ShownExperiment | null;
}

export interface RefusalOfRetest {
  readonly retest: string;
  readonly refusal: Refusal;
  /** Other findings of the origin whose last retest was refused in the same way. */
  readonly alike: readonly number[];
}

export interface RefusalConfirmation {
  readonly retest: string;
  readonly reason: string;
  /** For each finding of the origin that is refused in the same way. */
  readonly isForOrigin: boolean;
}

/** The baseline of a finding, and what a person may replace it with. */
@Injectable()
export class BaselinesService {
  constructor(
    private readonly baselines: FindingBaselinesRepository,
    private readonly retests: RetestsRepository,
    private readonly findings: FindingsService,
    private readonly approval: SecondApproval,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async get(scope: Scope, findingId: number): Promise<BaselineView> {
    const finding = await this.findings.getWithCheck(scope, findingId);
    const { checkDefinition } = finding;
    const known = await this.baselines.findWithTime(scope, { findingId, checkDefinition });
    const baseline = known?.baseline.on === 'web' ? known.baseline : null;
    const confirmed = baseline?.confirmed && confirmation(baseline.confirmed);
    const last = await this.retests.findLastOfVisible(findingId);
    const confirmedRefusal = baseline?.confirmedRefusal ?? null;
    const offer = last && (await this.retests.findOfferOfVisible(last.id));
    const site = last && offer && isOffer(last, confirmed?.at) ? offer.newSite : null;
    return {
      stored: baseline && shownPage(baseline),
      taken: baseline && known && known.taken,
      confirmed: confirmed ?? null,
      current: site && shownPage(site),
      retest: site && last ? last.uuid : null,
      refusal: last && offer ? await this.offeredRefusal(scope, finding, last, offer.refusal, confirmedRefusal) : null,
      confirmedRefusal: shownConfirmation(baseline),
      experiment: shownExperiment(known?.baseline ?? null, testOfFinding(finding)?.target),
    };
  }

  /** Confirms the page for all findings of the site. Retests compare with it after an hour. */
  async confirm(caller: Caller, findingId: number, retest: string): Promise<BaselineView> {
    const { organizationId } = await this.findings.get(caller.scope, findingId);
    this.unitOfWork.note({ organizationId, metadata: { retest } });
    caller.requireRole('admin', organizationId);
    const finding = await this.findings.lock(caller.scope, findingId);
    await this.unitOfWork.checkCondition();
    requireNotMerged(finding);
    const site = await this.siteOf(caller.scope, findingId, retest);
    const { beaconId } = finding;
    const ofSite = await this.baselines.listOfSite(caller.scope, { organizationId, beaconId, origin: site.origin });
    const by = { by: Number(caller.actor.id), at: this.clock.now().toISOString() };
    const replaced = ofSite.flatMap((one) => replacement(one, site, by) ?? []);
    if (!replaced.some((one) => one.findingId === findingId)) throw noNewSite();
    await this.approval.require(caller.actor, {
      organizationId,
      kind: 'finding.confirm_baseline',
      payload: { finding_id: findingId, retest },
      seen: replaced.map((one) => one.findingId),
      summary: `The page that retests of finding ${findingId}, "${finding.title}", now see at ${site.origin} is right.`,
    });
    for (const one of replaced) await this.baselines.save(one, one.baseline);
    const findings = replaced.map((one) => one.findingId);
    this.unitOfWork.note({ metadata: { origin: site.origin, findings } });
    return this.get(caller.scope, findingId);
  }

  /** Confirms that a refusal is the fix. Retests compare with it at once. */
  async confirmRefusal(
    caller: Caller,
    findingId: number,
    { retest, reason, isForOrigin }: RefusalConfirmation,
  ): Promise<BaselineView> {
    const { organizationId } = await this.findings.get(caller.scope, findingId);
    this.unitOfWork.note({ organizationId, metadata: { retest, reason } });
    caller.requireRole('admin', organizationId);
    const finding = await this.findings.lock(caller.scope, findingId);
    await this.unitOfWork.checkCondition();
    requireNotMerged(finding);
    await this.lastOf(findingId, retest);
    const { refusal: offered } = await this.get(caller.scope, findingId);
    const { alike } = orThrow(offered ?? undefined, noRefusal);
    const ids = [findingId, ...(isForOrigin ? alike : [])];
    await this.approval.require(caller.actor, {
      organizationId,
      kind: 'finding.confirm_refusal',
      payload: { finding_id: findingId, retest, reason, all: isForOrigin },
      seen: ids,
      summary: `The refusal that the retest saw is the fix of ${ids.length === 1 ? 'finding' : 'findings'} ${ids.join(', ')}. ${reason}`,
    });
    const by = { by: Number(caller.actor.id), at: this.clock.now().toISOString(), reason };
    const confirmed: number[] = [];
    for (const one of await this.retests.listRefusedOfVisible(ids)) {
      const after = one.baseline && withConfirmedRefusal(one.baseline, one.refusal, by);
      if (after === null) continue;
      await this.baselines.replace(one, one.baseline, after);
      const { path, status } = one.refusal;
      const note = `Confirmed that the refusal of ${path} with ${status} is the fix: ${reason}`;
      await this.findings.note(caller.actor, one.finding, note);
      confirmed.push(one.findingId);
    }
    if (!confirmed.includes(findingId)) throw noRefusal();
    this.unitOfWork.note({ metadata: { findings: confirmed } });
    return this.get(caller.scope, findingId);
  }

  /** Null once it is confirmed. */
  private async offeredRefusal(
    scope: Scope,
    finding: FindingWithCheck,
    last: Retest,
    refusal: Refusal | null,
    confirmed: { readonly at: string } | null,
  ): Promise<RefusalOfRetest | null> {
    if (refusal === null || !isOffer(last, confirmed === null ? undefined : new Date(confirmed.at))) return null;
    const { organizationId, beaconId } = finding;
    const target = testOfFinding(finding)?.target;
    if (target === undefined || !isWeb(target)) return null;
    const origin = locationOf({ ...target, path: '', parameter: undefined });
    const ofSite = await this.baselines.listOfSite(scope, { organizationId, beaconId, origin });
    const others = ofSite.map((one) => one.findingId).filter((id) => id !== last.findingId);
    const refused = await this.retests.listRefusedOfVisible(others);
    const alike = refused.filter((one) => hasSameShape(one.refusal, refusal)).map((one) => one.findingId);
    return { retest: last.uuid, refusal, alike };
  }

  private async siteOf(scope: Scope, findingId: number, retest: string): Promise<NewSite> {
    const last = await this.lastOf(findingId, retest);
    const { current } = await this.get(scope, findingId);
    const site = current && (await this.retests.findOfferOfVisible(last.id)).newSite;
    return orThrow(site ?? undefined, noNewSite);
  }

  /** The retest that a person has read. */
  private async lastOf(findingId: number, retest: string): Promise<Retest> {
    const last = orThrow(await this.retests.findLastOfVisible(findingId), neverRetested);
    if (!isRetestOver(last.status)) throw retestUnderWay();
    if (last.uuid !== retest) throw anotherRetest();
    return last;
  }
}

const confirmation = ({ by, at }: { by: number; at: string }): NonNullable<BaselineView['confirmed']> => ({
  by,
  at: new Date(at),
  countsFrom: new Date(Date.parse(at) + WAIT_MS),
});

/** A retest that ended before a confirmation offers nothing new to confirm. */
const isOffer = ({ finished }: Retest, confirmed: Date | undefined): boolean =>
  finished !== null && (confirmed === undefined || finished > confirmed);

/** The same kind of answer, while paths that do not exist get the same one. */
const hasSameShape = (one: Refusal, other: Refusal): boolean =>
  one.isOwn === other.isOwn && isSameAnswer(one.answer, other.answer) && isSameAnswer(one.twinAnswer, other.twinAnswer);

function replacement(
  one: BaselineOfFinding,
  site: NewSite,
  confirmed: { by: number; at: string },
): BaselineOfFinding | null {
  const test = testOfFinding(one);
  const baseline = test && withConfirmedSite(one.baseline, test.check, test.target, site, confirmed);
  return baseline && { ...one, baseline };
}
