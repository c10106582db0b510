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

  /** Those of these addresses whose observation is off, or that of a block around them, where an asset is that was read in scope. */
  async listTurnedOffForVisible(asset: Asset, addresses: readonly string[]): Promise<ReadonlySet<string>> {
    const around = new Map(addresses.map((address) => [address, [address, ...Cidr.containing(address).map(String)]]));
    const values = [...new Set([...around.values()].flat())];
    const turnedOff = new Set(await this.plans.listTurnedOffForVisible(asset, values));
    return new Set(addresses.filter((address) => around.get(address)?.some((value) => turnedOff.has(value))));
  }
}
