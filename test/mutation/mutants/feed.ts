import type { Mutant } from '../mutant';

const spec = 'test/e2e/feed.spec.ts';
const order = 'test/e2e/feed-order.spec.ts';
const migration = 'migrations/1795780000000-add-feed.ts';
const answers = 'src/modules/feed/http/feed-answers.ts';
const concurrent = 'has every committed change once, in the order of each record';

/** What the feed shows, to whom, and in which order. */
export const feed: readonly Mutant[] = [
  {
    name: 'feed: another tenant reads it',
    file: 'src/modules/feed/feed.service.ts',
    search: 'const { id } = await this.organizations.get(scope, query.organizationId);',
    replace: 'const id = scope && this.organizations && query.organizationId;',
    spec,
    test: 'of one tenant are never seen by another',
  },
  {
    name: 'feed: entries of all organizations are listed',
    file: 'src/modules/feed/data/feed.repository.ts',
    search: 'WHERE f.organization_id = ${organizationId} AND f.position',
    replace: 'WHERE f.position',
    spec,
    test: 'of one tenant are never seen by another',
  },
  {
    name: 'feed: the order of the changes is lost',
    file: migration,
    search: 'row_number() OVER (ORDER BY m.id)',
    replace: 'row_number() OVER (ORDER BY m.id DESC)',
    spec: order,
    test: concurrent,
  },
  {
    name: 'feed: an older position is not refused',
    file: 'src/modules/feed/feed.service.ts',
    search: 'if (from < oldest - 1)',
    replace: 'if (false)',
    spec,
    test: 'are kept for 30 days',
  },
  {
    name: 'feed: what is not confirmed is among what is',
    file: 'src/modules/feed/data/feed.repository.ts',
    search: "confirmed === true ? sql`f.data ->> 'verification' = 'confirmed'` : undefined",
    replace: 'confirmed === true ? undefined : undefined',
    spec,
    test: 'are selected by type, severity',
  },
  {
    name: 'feed: any number of requests wait',
    file: 'src/modules/feed/open-feeds.ts',
    search: '>= Math.ceil(most / this.config.API_PROCESSES)',
    replace: '>= Math.ceil(99 * most * this.config.API_PROCESSES)',
    spec,
    test: 'is one of at most 5 of a key',
  },
  {
    name: 'feed: the rights of a stream are not checked again',
    file: answers,
    search: 'await this.requireAccess(asked);',
    replace: 'void this.requireAccess(asked).catch(() => undefined);',
    spec,
    test: 'ends when',
  },
  {
    name: 'feed: a stream goes on with a key for pipelines',
    file: answers,
    search: "caller === undefined || !caller.key.scopes.some((scope) => scope !== 'ci')",
    replace: 'caller === undefined',
    spec,
    test: 'ends when',
  },
];
