import { Injectable } from '@nestjs/common';
import { type NewSite, type ShownPage, shownPage, withConfirmedSite } from '../../engine';
import { Clock } from '../../kernel/clock';
import { orThrow } from '../../kernel/or-throw';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { FindingsService, requireNotMerged, testOfFinding } from '../findings';
import { type BaselineOfFinding, FindingBaselinesRepository } from './data/finding-baselines.repository';
import type { Retest } from './data/retest.entity';
import { RetestsRepository } from './data/retests.repository';
import { anotherRetest, neverRetested, noNewSite, retestUnderWay } from './domain/retest.errors';
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
  /** That showed the weakness; null where none did. */
  readonly experiment: ShownExperiment | null;
}

/** The baseline of a finding, and what a person may replace it with. */
@Injectable()
export class BaselinesService {
  constructor(
    private readonly baselines: FindingBaselinesRepository,
    private readonly retests: RetestsRepository,
    private readonly findings: FindingsService,
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
    const site = last && isOffer(last, confirmed?.at) ? await this.retests.findNewSiteOfVisible(last.id) : null;
    return {
      stored: baseline && shownPage(baseline),
      taken: baseline && known && known.taken,
      confirmed: confirmed ?? null,
      current: site && shownPage(site),
      retest: site && last ? last.uuid : null,
      experiment: shownExperiment(baseline, testOfFinding(finding)?.target),
    };
  }

  /** For all findings of the site. Retests compare with it when it has lasted for an hour. */
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
    for (const one of replaced) await this.baselines.save(one, one.baseline);
    const findings = replaced.map((one) => one.findingId);
    this.unitOfWork.note({ metadata: { origin: site.origin, findings } });
    return this.get(caller.scope, findingId);
  }

  private async siteOf(scope: Scope, findingId: number, retest: string): Promise<NewSite> {
    const last = orThrow(await this.retests.findLastOfVisible(findingId), neverRetested);
    if (!isRetestOver(last.status)) throw retestUnderWay();
    if (last.uuid !== retest) throw anotherRetest();
    const { current } = await this.get(scope, findingId);
    const site = current && (await this.retests.findNewSiteOfVisible(last.id));
    return orThrow(site ?? undefined, noNewSite);
  }
}

const confirmation = ({ by, at }: { by: number; at: string }): NonNullable<BaselineView['confirmed']> => ({
  by,
  at: new Date(at),
  countsFrom: new Date(Date.parse(at) + WAIT_MS),
});

/** A retest from before a confirmation has nothing new to confirm. */
const isOffer = ({ finished }: Retest, confirmed: Date | undefined): boolean =>
  finished !== null && (confirmed === undefined || finished > confirmed);

function replacement(
  one: BaselineOfFinding,
  site: NewSite,
  confirmed: { by: number; at: string },
): BaselineOfFinding | null {
  const test = testOfFinding(one);
  const baseline = test && withConfirmedSite(one.baseline, test.check, test.target, site, confirmed);
  return baseline && { ...one, baseline };
}
