import type { FeedRepository } from '../data/feed.repository';
import type { Config } from '../../../platform/config/load-config';
import { DatabaseContext } from '../../../platform/database/database-context';
import type { SetAsideRepository } from '../../../platform/work/set-aside.repository';
import { TenantTurns } from '../../../platform/work/tenant-turns';
import { FeedUpkeep } from './feed-upkeep';

it('gives each organization one turn a round, and ends although one of them keeps changing', async () => {
  const turns: number[] = [];
  const rests = new Map([
    [1, Infinity],
    [2, 2],
  ]);
  const feed = {
    waiting: () =>
      Promise.resolve([...rests].filter(([, rest]) => rest > 0).map(([organizationId]) => ({ organizationId }))),
    appendWithoutWaiting: (id: number) => {
      turns.push(id);
      rests.set(id, (rests.get(id) ?? 0) - 1);
      return Promise.resolve(0);
    },
    cleanOutbox: () => Promise.resolve(false),
  };
  const rows = { listOf: async () => [], remove: async () => undefined } as unknown as SetAsideRepository;
  const tenants = new TenantTurns(rows, new DatabaseContext(), { DATABASE_TIMEOUT_MS: 4_000 } as Config);
  await new FeedUpkeep(feed as unknown as FeedRepository, tenants).append();
  expect(turns).toEqual([1, 2, 1, 2, ...Array<number>(8).fill(1)]);
});
