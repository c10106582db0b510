import { everything, type Scope } from '../api/scope';
import type { Config } from '../config/load-config';
import { DatabaseContext } from '../database/database-context';
import type { SetAsideRepository } from './set-aside.repository';
import { Again, TenantTurns } from './tenant-turns';

const scope = everything('a test');
const LIMIT_MS = 10_000;

interface Item {
  readonly organizationId: number | null;
  readonly name: string;
}

const item = (organizationId: number | null, name = 'one'): Item => ({ organizationId, name });
const visibleIn =
  (items: readonly Item[]) =>
  async (part: Scope): Promise<Item[]> =>
    items.filter(({ organizationId: id }) => id === null || part.exceptIds?.includes(id) !== true);

/** The turns of one run, and what it recorded. */
function newRun(known: { organizationId: number; isLeftOut: boolean }[] = [], organizations: number[] = []) {
  const added: [number, string][] = [];
  const removed: number[] = [];
  const rows = {
    listOf: async () => known,
    listOrganizations: async (part: Scope) => organizations.filter((id) => part.exceptIds?.includes(id) !== true),
    add: async (_task: string, id: number, reason: string) => void added.push([id, reason]),
    remove: async (_task: string, ids: number[]) => void removed.push(...ids),
  } as unknown as SetAsideRepository;
  const turns = new TenantTurns(rows, new DatabaseContext(), { DATABASE_TIMEOUT_MS: 4_000 } as Config);
  return { turns, added, removed };
}

const failing = (id: number, error: unknown = new Error('bad data')) => ({
  work: async ({ organizationId }: Item) => {
    if (organizationId === id) throw error;
  },
});

const hanging = (): Promise<never> => new Promise(() => undefined);

describe('each', () => {
  it('gives each organization one turn after the other, and another one when it has more to do', async () => {
    const seen: string[] = [];
    const { turns } = newRun();
    const items = [item(1, 'a'), item(1, 'b'), item(2, 'a')];
    const count = await turns.each('t', scope, visibleIn(items), async ({ organizationId, name }) => {
      seen.push(`${organizationId}${name}`);
      return organizationId === 2 && name < 'c' ? new Again(item(2, name === 'a' ? 'b' : 'c')) : undefined;
    });
    expect([seen, count]).toEqual([['1a', '2a', '1b', '2b', '2c'], 5]);
  });

  it('counts a failure of an organization while another one succeeds, and runs all others', async () => {
    const { turns, added } = newRun();
    const { work } = failing(1);
    await turns.each('t', scope, visibleIn([item(1), item(2), item(3)]), work);
    expect(added).toEqual([[1, 'Error: bad data']]);
  });

  it('counts no failure if no organization succeeds, because then it is not about one of them', async () => {
    const { turns, added } = newRun();
    const items = visibleIn([item(1), item(2)]);
    await turns.each('t', scope, items, async () => Promise.reject(new Error('a mistake of ours')));
    expect(added).toEqual([]);
  });

  it('counts no failure of one item if others of the same organization succeed', async () => {
    const { turns, added } = newRun();
    await turns.each('t', scope, visibleIn([item(1, 'bad'), item(1), item(2)]), async ({ name }) => {
      if (name === 'bad') throw new Error('bad data');
    });
    expect(added).toEqual([]);
  });

  it.each([
    ['a refused connection', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['a server that shuts down', Object.assign(new Error('terminating'), { code: '57P01' })],
    ['an unknown commit', Object.assign(new Error('standby'), { code: '08007' })],
  ])('never counts an unavailable database: %s', async (_name, error) => {
    const { turns, added } = newRun();
    const { work } = failing(1, error);
    await expect(turns.each('t', scope, visibleIn([item(1), item(2)]), work)).rejects.toBe(error);
    expect(added).toEqual([]);
  });

  it('stops when the database was unavailable twice in a row', async () => {
    const { turns } = newRun();
    const tried: number[] = [];
    const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const run = turns.each('t', scope, visibleIn([1, 2, 3, 4].map((id) => item(id))), async ({ organizationId }) => {
      tried.push(organizationId ?? 0);
      throw away;
    });
    await expect(run).rejects.toBe(away);
    expect(tried).toEqual([1, 2]);
  });

  it.each(['57014', '55P03', 'XX001'])(
    'counts a statement of one organization that the database ends: %s',
    async (code) => {
      const { turns, added } = newRun();
      const { work } = failing(1, Object.assign(new Error('row'), { code }));
      await turns.each('t', scope, visibleIn([item(1), item(2)]), work);
      expect(added.map(([id]) => id)).toEqual([1]);
    },
  );

  it('counts a lost connection if the organization itself kept the event loop busy', async () => {
    const { turns, added } = newRun();
    await turns.each('t', scope, visibleIn([item(1), item(2)]), async ({ organizationId }) => {
      if (organizationId !== 1) return;
      for (const end = performance.now() + 1_100; performance.now() < end;);
      throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    });
    expect(added).toEqual([[1, 'Error: write EPIPE']]);
  });

  it('lists again without an organization that failed, which may have filled the list', async () => {
    const { turns } = newRun();
    const done: (number | null)[] = [];
    const list = async (part: Scope) => (await visibleIn([item(1), item(1, 'two'), item(2)])(part)).slice(0, 2);
    await turns.each('t', scope, list, async ({ organizationId }) => {
      if (organizationId === 1) throw new Error('bad data');
      done.push(organizationId);
    });
    expect(done).toEqual([2]);
  });

  it('lists for each organization by itself if the list of all fails', async () => {
    const { turns, added } = newRun([], [1, 2]);
    const done: (number | null)[] = [];
    const list = async ({ organizationIds, exceptIds }: Scope): Promise<Item[]> => {
      if (organizationIds?.[0] !== 2 && exceptIds?.includes(1) !== true) throw new Error('bad row');
      return organizationIds === undefined ? [] : [item(2)];
    };
    await turns.each('t', scope, list, async ({ organizationId }) => void done.push(organizationId));
    expect([done, added]).toEqual([[2], [[1, 'Error: bad row']]]);
  });

  it('leaves out those set aside, and forgets the failures of those that succeed again', async () => {
    const known = [
      { organizationId: 1, isLeftOut: true },
      { organizationId: 2, isLeftOut: false },
    ];
    const { turns, removed } = newRun(known);
    const done: (number | null)[] = [];
    const items = visibleIn([item(1), item(2), item(3)]);
    await turns.each('t', scope, items, async ({ organizationId }) => void done.push(organizationId));
    expect([done, removed]).toEqual([[2, 3], [2]]);
  });

  it('fails with the failures of what belongs to no organization', async () => {
    const { turns } = newRun();
    const run = turns.each('t', scope, visibleIn([item(null)]), async () => Promise.reject(new Error('no tenant')));
    await expect(run).rejects.toThrow('no tenant');
  });

  describe('with a clock', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    it('ends a turn that hangs at the limit, and counts it', async () => {
      const { turns, added } = newRun();
      const done: (number | null)[] = [];
      const items = visibleIn([item(1), item(1, 'two'), item(2)]);
      const run = turns.each('t', scope, items, ({ organizationId }) =>
        organizationId === 1 ? hanging() : Promise.resolve(done.push(organizationId)),
      );
      let isOver = false;
      void run.then(() => (isOver = true));
      await jest.advanceTimersByTimeAsync(LIMIT_MS);
      expect(isOver).toBe(true);
      expect([[...new Set(done)], added]).toEqual([[2], [[1, `Error: It took longer than ${LIMIT_MS} ms.`]]]);
    });

    it('gives an organization no more turns after the time of one run, and counts no failure', async () => {
      const { turns, added } = newRun();
      let count = 0;
      const run = turns.each('t', scope, visibleIn([item(1), item(2)]), async (one) => {
        if (one.organizationId === 2) return undefined;
        count += 1;
        await new Promise((resolve) => setTimeout(resolve, LIMIT_MS / 2));
        return new Again(one);
      });
      await jest.advanceTimersByTimeAsync(LIMIT_MS * 2);
      await run;
      expect([count, added]).toEqual([2, []]);
    });
  });
});

describe('sweep', () => {
  it('changes all in batches, and asks for no organization by itself', async () => {
    const { turns, removed } = newRun([{ organizationId: 1, isLeftOut: false }]);
    const parts: Scope[] = [];
    await turns.sweep('t', scope, async (part) => 3 - parts.push(part));
    expect(parts).toEqual([scope, scope, scope]);
    expect(removed).toEqual([1]);
  });

  it('goes on without an organization whose rows cannot be changed', async () => {
    const { turns, added } = newRun([], [1, 2]);
    const left = new Set([1, 2, null]);
    await turns.sweep('t', scope, async ({ organizationIds, exceptIds }) => {
      const chosen = [...left].filter(
        (id) => (organizationIds ?? [id]).includes(id as number) && exceptIds?.includes(id as number) !== true,
      );
      if (chosen.includes(1)) throw new Error('bad row');
      for (const id of chosen) left.delete(id);
      return 0;
    });
    expect([[...left], added]).toEqual([[1], [[1, 'Error: bad row']]]);
  });
});
