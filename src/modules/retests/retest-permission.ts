import { Injectable } from '@nestjs/common';
import { locationOf, type Target } from '../../engine';
import { DomainError } from '../../kernel/domain-error';
import type { Scope } from '../../platform/api/scope';
import { type Asset, AssetsService, covers } from '../assets';
import { LaunchRule } from './launch-rule';

export type RetestTarget = EventName & {
  readonly organizationId: number;
  /** The finding's asset. */
  readonly assetId: number | null;
  readonly target: Target;
};

/** What somebody has asked for, or what was written down; never left out, so that no test gets past the event of its own. */
type EventName = { readonly eventSlug: string | null } | { readonly eventId: number | null };

const NO_ASSET = 'its asset is not among your assets: add the asset, and record the finding again.';

/** Whether a check may be sent to its finding's target: asked when a retest starts, and when a worker claims it. */
@Injectable()
export class RetestPermission {
  constructor(
    private readonly assets: AssetsService,
    private readonly rule: LaunchRule,
  ) {}

  /** What stands in the way, with the remedy; null where nothing does. */
  async obstacle(scope: Scope, place: RetestTarget): Promise<string | null> {
    const { organizationId, assetId, target } = place;
    const asset = assetId === null ? undefined : await this.find(scope, assetId);
    if (asset === undefined) return NO_ASSET;
    const url = locationOf(target);
    if (!covers(asset, target)) return `its check addresses ${url}, and a check addresses its finding's asset alone.`;
    const { beaconId } = asset;
    const event = 'eventId' in place ? { eventId: place.eventId } : { eventSlug: place.eventSlug };
    const judged = await this.rule.judge({ scope, url, organizationId, beaconId, ...event, test: 'retest' });
    return judged.launchable ? null : judged.reason;
  }

  private async find(scope: Scope, id: number): Promise<Asset | undefined> {
    try {
      return await this.assets.get(scope, id);
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not_found') return undefined;
      throw error;
    }
  }
}
