import { DatabaseContext } from '../../platform/database/database-context';
import type { FeedRepository } from './data/feed.repository';
import { FeedWatch } from './feed-watch';

it('asks for new entries as the system, whoever waited first', async () => {
  const context = new DatabaseContext();
  const tenants: string[] = [];
  const statesOf = (ids: readonly number[]) => {
    tenants.push(context.tenant);
    return Promise.resolve(ids.map((id) => ({ id, newest: 1, isWaiting: false })));
  };
  const watch = new FeedWatch({ statesOf } as unknown as FeedRepository, context);
  await context.runFor('organization 7', () => watch.next(7, 0, 30_000, new AbortController().signal));
  expect(tenants).toEqual(['system']);
  await watch.beforeApplicationShutdown();
});
