import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../kernel/durations';
import { AssetsService } from '../../modules/assets';
import { type AssetChangeRow, type KindCount, ObservedHosts } from '../../modules/observations';
import type { Place } from '../http/places';

const DAYS = 7;
const NEWEST = { page: 1, perPage: 3 } as const;

export interface WeekView {
  readonly organizationId: number;
  readonly counts: readonly KindCount[];
  readonly newest: readonly AssetChangeRow[];
  /** The values of their assets, by id. */
  readonly assets: ReadonlyMap<number, string>;
}

/** Reads what has changed on the assets in the last seven days. */
@Injectable()
export class WeekReader {
  constructor(
    private readonly hosts: ObservedHosts,
    private readonly assets: AssetsService,
  ) {}

  async read({ caller: { scope }, organizationId }: Place): Promise<WeekView> {
    const since = new Date(Date.now() - DAYS * DAY_MS);
    const counts = await this.hosts.countChanges(scope, organizationId, since);
    if (counts.length === 0) return { organizationId, counts, newest: [], assets: new Map() };
    const { items: newest } = await this.hosts.listChanges(scope, { organizationId, since }, NEWEST);
    const assets = await this.assets.listByIds(scope, [...new Set(newest.map(({ assetId }) => assetId))]);
    return { organizationId, counts, newest, assets: new Map(assets.map(({ id, value }) => [id, value])) };
  }
}
