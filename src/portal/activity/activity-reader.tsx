import { Injectable } from '@nestjs/common';
import { AssetsService } from '../../modules/assets';
import { type Entry, FeedService, typesNamed } from '../../modules/feed';
import { RetestSummaryService } from '../../modules/retests';
import type { Scope } from '../../platform/api/scope';
import { isUser } from '../../platform/api/caller';
import type { Followed } from '../live/live-streams';
import { People } from '../findings/people';
import type { Activity } from './activity';
import { ActivityActors } from './activity-actors';
import { ActivityList } from './activity-list';
import { assigneesIn } from './sentence-of';

const SHOWN = 50;

/** The newest entries of the feed. */
@Injectable()
export class ActivityReader {
  constructor(
    private readonly feed: FeedService,
    private readonly assets: AssetsService,
    private readonly people: People,
    private readonly retests: RetestSummaryService,
    private readonly actors: ActivityActors,
  ) {}

  async read(scope: Scope, organizationId: number, type: string | undefined, from?: number): Promise<Activity> {
    const filter = { types: type === undefined ? undefined : typesNamed(type), withoutProgress: true };
    const page = { limit: SHOWN, before: from };
    const { entries, before } = await this.feed.newest(scope, organizationId, filter, page);
    const actors = await this.actors.of(organizationId, entries);
    const users = [...actors.values()].flatMap((actor) => (isUser(actor.type) ? [Number(actor.id)] : []));
    const people = await this.people.namesOf([...entries.flatMap(assigneesIn), ...users]);
    const ids = entries.map(({ data }) => data['asset_id']).filter((id) => typeof id === 'number');
    const assets = await this.assets.listByIds(scope.within(organizationId), [...new Set(ids)]);
    const fixed = entries.filter(({ data }) => data['result'] === 'fixed').map(({ recordId }) => recordId);
    const byRefusal = await this.retests.fixedByRefusal(scope.within(organizationId), fixed);
    return {
      organizationId,
      entries,
      before,
      people,
      actors,
      byRefusal,
      assets: new Map(assets.map(({ id, value }) => [id, value])),
    };
  }

  follow(scope: Scope, organizationId: number, type: string | undefined): Followed<readonly Entry[]> {
    let names: Omit<Activity, 'entries'> = {
      organizationId,
      assets: new Map(),
      people: new Map(),
      actors: new Map(),
      before: null,
    };
    return {
      key: `activity ${organizationId} ${type ?? ''}`,
      organizationId,
      read: async () => {
        const { entries, ...read } = await this.read(scope, organizationId, type);
        names = read;
        return { state: entries, isOver: false, isMoving: false };
      },
      render: (entries) => <ActivityList activity={{ entries, ...names }} />,
    };
  }
}
