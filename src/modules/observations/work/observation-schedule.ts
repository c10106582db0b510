import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { everything } from '../../../platform/api/scope';
import { system } from '../../../platform/api/caller';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { Config } from '../../../platform/config/load-config';
import { TenantTurns } from '../../../platform/work/tenant-turns';
import { Scheduled } from '../../../platform/work/work-handler';
import { type Asset, ObservationPlans } from '../../assets';
import { OrganizationsService } from '../../organizations';
import { nextObservation } from '../domain/next-observation';
import { ObservationRule } from '../observation-rule';
import { ObservationsService } from '../observations.service';

const scope = everything('the assets of all organizations are observed');

/** In one run of the task, of each organization and of all. */
const MAX_OF_EACH = 10;
const MAX_OF_ALL = 500;

/** Starts the observations that are due. Each start plans the next one. */
@Injectable()
export class ObservationSchedule {
  constructor(
    private readonly plans: ObservationPlans,
    private readonly organizations: OrganizationsService,
    private readonly rule: ObservationRule,
    private readonly observations: ObservationsService,
    private readonly turns: TenantTurns,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  @Scheduled({ name: 'asset.observations', everySeconds: 10 })
  async run(): Promise<void> {
    if (this.config.OBSERVE_EVERY_HOURS === 'off') return;
    const hours = this.config.OBSERVE_EVERY_HOURS;
    await this.turns.sweep('asset.observations:spread', scope, (part) => this.plans.spread(part));
    await this.turns.each(
      'asset.observations',
      scope,
      (part) => this.plans.listDue(part, MAX_OF_EACH, MAX_OF_ALL),
      (asset) => this.startIfDue(asset, hours),
    );
  }

  /** Without an audit entry: the end of each observation has one. */
  private startIfDue(asset: Asset, defaultHours: number): Promise<undefined> {
    const { id: assetId, organizationId } = asset;
    const description = {
      actor: system,
      operation: 'asset.observe',
      resourceType: 'observation',
      organizationId,
    } as const;
    return this.unitOfWork.runIfDue(description, scope, async () => {
      const organization = await this.organizations.lockForCounting(scope, organizationId);
      const hours = organization.observeEveryHours ?? defaultHours;
      const rule = await this.rule.evaluateDue(scope, asset);
      if (!rule.observable) await this.plans.saveReasonOfVisible(asset, rule.reason);
      else if (!(await this.observations.scheduleInLocked(scope, asset))) return undefined;
      await this.plans.planVisible(assetId, nextObservation(this.clock.now(), hours));
      return undefined;
    });
  }
}
