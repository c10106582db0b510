import { Injectable } from '@nestjs/common';
import { AssetsService } from '../../modules/assets';
import { type Entry, FeedService, typesNamed } from '../../modules/feed';
import type { Scope } from '../../platform/api/scope';
import type { Followed } from '../live/live-streams';
import { ActivityList } from './activity-list';

export interface Activity {
  readonly organizationId: number;
  readonly entries: readonly Entry[];
  /** The values of the assets that the entries name, by id. */
  readonly assets: ReadonlyMap<number, string>;
}

const SHOWN = 50;

/** The newest entries of the feed. */
@Injectable()
export class ActivityReader {
  constructor(
    private readonly feed: FeedService,
    private readonly assets: AssetsService,
  ) {}

  async read(scope: Scope, organizationId: number, type: string | undefined): Promise<Activity> {
    const filter = { types: type === undefined ? undefined : typesNamed(type) };
    const entries = await this.feed.newest(scope, organizationId, filter, SHOWN);
    const ids = entries.map(({ data }) => data['asset_id']).filter((id) => typeof id === 'number');
    const assets = await this.assets.listByIds(scope.within(organizationId), [...new Set(ids)]);
    return { organizationId, entries, assets: new Map(assets.map(({ id, value }) => [id, value])) };
  }

  follow(scope: Scope, organizationId: number, type: string | undefined): Followed<readonly Entry[]> {
    const names = new Map<number, string>();
    return {
      key: `activity ${organizationId} ${type ?? ''}`,
      organizationId,
      read: async () => {
        const { entries, assets } = await this.read(scope, organizationId, type);
        for (const [id, value] of assets) names.set(id, value);
        return { state: entries, isOver: false, isMoving: false };
      },
      render: (entries) => <ActivityList activity={{ organizationId, entries, assets: names }} />,
    };
  }
}
