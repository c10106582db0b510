import { Injectable } from '@nestjs/common';
import { Cidr } from '../../kernel/cidr';
import type { Scope } from '../../platform/api/scope';
import type { Asset } from './data/asset.entity';
import { ObservationPlansRepository } from './data/observation-plans.repository';
import { ObservedAssetsRepository } from './data/observed-assets.repository';

/** When each asset is observed next. The module observations decides it. */
@Injectable()
export class ObservationPlans {
  constructor(
    private readonly plans: ObservationPlansRepository,
    private readonly states: ObservedAssetsRepository,
  ) {}

  /** The first `ofEach` assets of each organization with observation, in turns. */
  listDue(scope: Scope, ofEach: number, limit: number): Promise<Asset[]> {
    return this.plans.listDue(scope, ofEach, limit);
  }

  /** Plans the first round of organizations whose observation was turned on over a week. */
  spread(scope: Scope): Promise<number> {
    return this.plans.spread(scope);
  }

  /** Why it is not observed. */
  async saveReasonOfVisible({ id: assetId, organizationId }: Asset, reason: string): Promise<void> {
    await this.states.saveReason({ organizationId, assetId }, reason);
  }

  async planVisible(assetId: number, due: Date): Promise<void> {
    await this.plans.plan(assetId, due);
  }

  async changeVisible(assetId: number, observe: boolean): Promise<void> {
    await this.plans.saveObserve(assetId, observe);
  }

  /** The addresses whose observation is off, in the place of an asset that was read in scope: its organization and beacon. */
  async listTurnedOffForVisible(asset: Asset): Promise<Cidr[]> {
    const values = await this.plans.listTurnedOffForVisible(asset);
    return values.map((value) => (value.includes('/') ? Cidr.parse(value, 'asset_value') : Cidr.ofAddress(value)));
  }
}
