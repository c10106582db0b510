import type { Config } from '../../platform/config/load-config';
import { DatabaseContext } from '../../platform/database/database-context';
import { FeedWatch } from './feed-watch';
import type { FeedService } from './feed.service';
import { FeedAnswers } from './http/feed-answers';
import { OpenFeeds } from './open-feeds';

it('asks for new entries as the system, whichever tenant waited first, and wakes the clients that have not read them', async () => {
  const context = new DatabaseContext();
  const tenants: string[] = [];
  const newestOfAll = (ids: readonly number[]) => {
    tenants.push(context.tenant);
    return Promise.resolve(new Map(ids.map((id) => [id, 1])));
  };
  const watch = new FeedWatch({ newestOfAll } as unknown as FeedService, context);
  const { signal } = new AbortController();
  const woken: string[] = [];
  const other = watch.next(8, 1, 30_000, signal).then(() => woken.push('has read it'));
  await context.runFor('organization 7', () => watch.next(7, 0, 30_000, signal)).then(() => woken.push('waits for it'));
  expect(tenants).toEqual(['system']);
  expect(woken).toEqual(['waits for it']);
  await watch.beforeApplicationShutdown();
  await other;
});

it('reads no further for a client that has gone', async () => {
  const page = { entries: [], nextAfter: 1, newest: 1, oldest: 1 };
  const readOfVisible = jest.fn(async () => page);
  const feed = { read: async () => page, readOfVisible } as unknown as FeedService;
  const open = { begin: () => () => undefined };
  const watch = new FeedWatch(feed, new DatabaseContext());
  const answers = new FeedAnswers(feed, watch, open as never, {} as never);
  const request = { accepts: () => 'application/json' };
  const asked = { caller: { key: {} }, organizationId: 7, query: { wait: 0.05 }, request, signal: AbortSignal.abort() };
  expect(await answers.answer(asked as never)).toMatchObject({ entries: [] });
  expect(readOfVisible).not.toHaveBeenCalled();
});

it('counts a request that ends twice once', () => {
  const open = new OpenFeeds({ API_PROCESSES: 1 } as Config);
  const [end] = Array.from({ length: 5 }, () => open.begin(1, 7));
  for (let time = 0; time < 2; time += 1) end?.();
  open.begin(1, 7);
  expect(() => open.begin(1, 7)).toThrow('At most 5 requests of an API key');
});
