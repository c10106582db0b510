import { DatabaseContext } from '../../platform/database/database-context';
import { FeedWatch } from './feed-watch';
import type { FeedService } from './feed.service';

it('asks for new entries as the system, whoever waited first', async () => {
  const context = new DatabaseContext();
  const tenants: string[] = [];
  const newestOfAll = (ids: readonly number[]) => {
    tenants.push(context.tenant);
    return Promise.resolve(new Map(ids.map((id) => [id, 1])));
  };
  const watch = new FeedWatch({ newestOfAll } as unknown as FeedService, context);
  await context.runFor('organization 7', () => watch.next(7, 0, 30_000, new AbortController().signal));
  expect(tenants).toEqual(['system']);
  await watch.beforeApplicationShutdown();
});
