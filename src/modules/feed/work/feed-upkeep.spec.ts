import type { FeedRepository } from '../data/feed.repository';
import { FeedUpkeep } from './feed-upkeep';

it('gives each organization one turn a round, and ends although one of them keeps changing', async () => {
  const turns: number[] = [];
  const rests = new Map([
    [1, Infinity],
    [2, 2],
  ]);
  const feed = {
    waiting: () => Promise.resolve([...rests].filter(([, rest]) => rest > 0).map(([id]) => id)),
    appendWithoutWaiting: (id: number) => {
      turns.push(id);
      rests.set(id, (rests.get(id) ?? 0) - 1);
      return Promise.resolve(0);
    },
  };
  await new FeedUpkeep(feed as unknown as FeedRepository).append();
  expect(turns).toEqual([1, 2, 1, 2, ...Array<number>(8).fill(1)]);
});
