import type { Mutant } from '../mutant';

const spec = 'test/e2e/feed.spec.ts';
const order = 'test/e2e/feed-order.spec.ts';
const migration = 'migrations/1795780000000-add-feed.ts';
const triggers = 'migrations/1795780100000-write-feed.ts';
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
    name: 'feed: who waits first pays for all',
    file: 'src/modules/feed/feed-watch.ts',
    search: 'this.task ??= this.context.runForSystem(',
    replace: 'this.task ??= ((begin: () => PeriodicTask) => begin())(',
    spec: 'src/modules/feed/feed-watch.spec.ts',
    test: 'asks for new entries as the system',
  },
  {
    name: 'feed: an entry is lost while older ones are removed',
    file: migration,
    search: 'PERFORM 1 FROM feed_positions ORDER BY organization_id FOR UPDATE;',
    replace: '',
    spec: order,
    test: 'keeps an entry that is appended while older ones are removed',
  },
  {
    name: 'feed: an organization waits for another one',
    file: migration,
    search: 'IF NOT waits THEN',
    replace: 'IF NOT coalesce(waits, false) AND false THEN',
    spec,
    test: 'because it is locked',
  },
  {
    name: 'feed: the failure of an organization stops the readers of others',
    file: 'src/modules/feed/feed-watch.ts',
    search: 'this.logger.warn(`appending the changes of organization ${id}: ${String(error)}`);',
    replace: 'throw error;',
    spec,
    test: 'because that fails',
  },
  {
    name: 'feed: an organization that keeps changing stops the others',
    file: 'src/modules/feed/work/feed-upkeep.ts',
    search: 'for (const id of waiting) if',
    replace: 'for (const id of waiting.slice(0, 1)) if',
    spec: 'src/modules/feed/work/feed-upkeep.spec.ts',
    test: 'gives each organization one turn a round',
  },
  {
    name: 'feed: the gate of a job is not told',
    file: 'src/modules/jobs/job-ends.ts',
    search: "end.status === 'FINISHED' ? await this.outcomes.gateAtEnd(job, end.coverage) : 'failed'",
    replace: "'passed'",
    spec: 'test/e2e/jobs.spec.ts',
    test: 'has what the job says to pipelines',
  },
  {
    name: 'feed: the events of a deleted finding are lost',
    file: triggers,
    search: 'BEFORE DELETE ON findings',
    replace: 'AFTER DELETE ON findings',
    spec,
    test: 'of a finding name the events',
  },
  {
    name: 'feed: its migration stops the writers',
    file: triggers,
    search: "await queryRunner.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`);",
    replace: '',
    spec: order,
    test: 'the migration of the triggers stops no writer',
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
