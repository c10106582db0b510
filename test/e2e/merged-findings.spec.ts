import { randomBytes, randomUUID } from 'node:crypto';
import { KeepOneFindingPerWeakness1763726400000 } from '../../migrations/1763726400000-keep-one-finding-per-weakness';
import { OldDatabase } from '../support/old-database';

/**
 * What the migration to one finding for each weakness does with data that had findings twice. Findings are written first,
 * by every test for itself, and then all of them are migrated at once.
 */
let old: OldDatabase;
let organizationId: number;
let assetId: number;
let events: number[];
let jobs: number[];

const day = (number: number): string => `2026-03-${String(number).padStart(2, '0')}T00:00:00.000Z`;

interface Parts {
  readonly event_id?: number | null;
  readonly [column: string]: unknown;
}

/** A row of the table, with what it has to have. */
async function insert(table: string, row: Record<string, unknown>): Promise<number> {
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`);
  const [inserted] = await old.query<{ id?: number }>(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')}) RETURNING *`,
    Object.values(row),
  );
  return inserted?.id ?? 0;
}

/** The same weakness as often as there are parts, as the version before recorded it; answers the ids. */
async function recordedTwice(...several: readonly Parts[]): Promise<number[]> {
  const same = {
    organization_id: organizationId,
    asset_id: assetId,
    asset_value: 'https://example.com/',
    title: 'A weakness',
    fingerprint: randomBytes(32),
  };
  const ids: number[] = [];
  for (const parts of several) {
    const row = { ...same, severity: 3, priority: 3, identity: randomBytes(32), created: day(1), last_seen: day(1) };
    const id = await insert('findings', { ...row, ...parts });
    await move(id, 1, null, { created: parts['created'] ?? day(1) });
    ids.push(id);
  }
  return ids;
}

const move = (findingId: number, status: number, previous: number | null, more: object = {}): Promise<number> =>
  insert('finding_history', {
    organization_id: organizationId,
    finding_id: findingId,
    status,
    previous_status: previous,
    actor_type: 'system',
    actor_id: 'system',
    ...more,
  });

const retest = (findingId: number, more: object): Promise<number> =>
  insert('retests', { uuid: randomUUID(), organization_id: organizationId, finding_id: findingId, ...more });

const rowsOf = <T extends object>(table: string, findingId: number, order = '1'): Promise<T[]> =>
  old.query<T>(`SELECT * FROM ${table} WHERE finding_id = $1 ORDER BY ${order}`, [findingId]);

const finding = async (id: number): Promise<Record<string, unknown> | undefined> =>
  (await old.query<Record<string, unknown>>('SELECT * FROM findings WHERE id = $1', [id]))[0];

/** Each writes its data, and answers what is to be asked when they are migrated. */
const cases: Record<string, () => Promise<() => Promise<void>>> = {
  ...Object.fromEntries(
    (
      [
        [[5, 1], 1],
        [[1, 5], 1],
        [[4, 2, 5], 2],
        [[7, 3], 3],
        [[5, 5], 5],
        [[8, 6], 6],
        [[6, 5], 1],
        [[5, 9], 1],
      ] as const
    ).map(([statuses, expected]) => [
      `the statuses ${statuses.join(', ')} become ${expected}, and the history says so where it is another one`,
      async () => {
        const ids = await recordedTwice(...statuses.map((status) => ({ status, previous_status: 1 })));
        for (const [index, status] of statuses.entries())
          if (status !== 1) await move(ids[index] ?? 0, status, 1, { comment: `Because of ${status}.` });
        return async () => {
          const [kept = 0, ...others] = ids;
          const [before] = statuses;
          expect(await finding(kept)).toMatchObject({ status: expected });
          for (const id of others) expect(await finding(id)).toBeUndefined();
          const last = (await rowsOf<Record<string, unknown>>('finding_history', kept, 'id')).at(-1);
          const merged = `Merged with ${others.map((id) => `finding ${id}`).join(', ')}`;
          if (expected === before) expect(last?.['comment']).not.toContain('Merged with');
          else
            expect(last).toMatchObject({
              status: expected,
              previous_status: before,
              comment: expect.stringContaining(merged),
            });
        };
      },
    ]),
  ),

  'a decision that is taken over is taken over with its reason, its end and what comes back then': async () => {
    const [kept = 0, other = 0] = await recordedTwice(
      { status: 8, previous_status: 1 },
      { status: 6, previous_status: 2, accepted_until: day(30) },
    );
    await move(other, 6, 2, { comment: 'Until the migration.' });
    return async () => {
      expect(await finding(kept)).toMatchObject({ status: 6, previous_status: 2, accepted_until: new Date(day(30)) });
      const last = (await rowsOf<{ comment: string }>('finding_history', kept, 'id')).at(-1);
      expect(last?.comment).toContain('Until the migration.');
    };
  },

  'the end of an acceptance goes where it is open after all': async () => {
    const [kept = 0] = await recordedTwice(
      { status: 6, previous_status: 1, accepted_until: day(30) },
      { status: 1, previous_status: null },
    );
    return async () => {
      expect(await finding(kept)).toMatchObject({ status: 1, previous_status: 6, accepted_until: null });
    };
  },

  'the finding is as old as the oldest, as lately seen as the last and as severe as the severest': async () => {
    const [kept = 0] = await recordedTwice(
      {
        event_id: events[0],
        created: day(2),
        last_seen: day(4),
        times_seen: 3,
        severity: 2,
        priority: 4,
        score: '2.0',
      },
      {
        created: day(3),
        last_seen: day(9),
        times_seen: 2,
        severity: 4,
        priority: 1,
        score: '7.5',
        cve: 'CVE-2026-1234',
      },
    );
    return async () =>
      expect(await finding(kept)).toMatchObject({
        event_id: events[0],
        created: new Date(day(2)),
        last_seen: new Date(day(9)),
        times_seen: 5,
        severity: 4,
        priority: 1,
        score: '7.5',
        cve: 'CVE-2026-1234',
      });
  },

  'what a person wrote is kept below what was written first, what a job wrote is not': async () => {
    const text = (md: string) => ({ md, html: `<p>${md}</p>\n` });
    const [kept = 0, byJob = 0, byHand = 0] = await recordedTwice(text('First.'), text('By a job.'), text('By hand.'));
    await old.query(`UPDATE finding_history SET actor_type = 'user', actor_id = '7' WHERE finding_id = $1`, [byHand]);
    const [empty = 0] = await recordedTwice({}, text('By another job.'));
    return async () => {
      expect(await finding(kept)).toMatchObject({ md: 'First.\n\nBy hand.', html: '<p>First.</p>\n<p>By hand.</p>\n' });
      expect(await finding(byJob)).toBeUndefined();
      expect(await finding(empty)).toMatchObject(text('By another job.'));
    };
  },

  'a finding that had lost its asset gets it back': async () => {
    const [kept = 0] = await recordedTwice({ asset_id: null }, {});
    return async () => expect(await finding(kept)).toMatchObject({ asset_id: assetId });
  },

  'it is linked to every event that had one of them, with when it was seen there': async () => {
    const [kept = 0] = await recordedTwice(
      { event_id: null, created: day(1), last_seen: day(20) },
      { event_id: events[0], created: day(2), last_seen: day(3) },
      { event_id: events[1], created: day(4), last_seen: day(5) },
    );
    return async () => {
      expect(await finding(kept)).toMatchObject({ event_id: null });
      expect(await rowsOf('event_findings', kept, 'event_id')).toMatchObject([
        { event_id: events[0], first_seen: new Date(day(2)), last_seen: new Date(day(3)) },
        { event_id: events[1], first_seen: new Date(day(4)), last_seen: new Date(day(5)) },
      ]);
    };
  },

  'all of their history stays, in the order of time, and says whose it was': async () => {
    const [kept = 0, other = 0] = await recordedTwice({ status: 2 }, { status: 2 });
    await move(kept, 2, 1, { comment: 'One.' });
    await move(other, 3, 1, { comment: 'x'.repeat(2_000) });
    await move(other, 2, 3);
    return async () => {
      const whose = `Of finding ${other}, which was merged into this one.`;
      const rows = await rowsOf<{ status: number; comment: string | null }>('finding_history', kept, 'id');
      expect(rows.map(({ status, comment }) => [status, comment])).toEqual([
        [1, null],
        [1, whose],
        [2, 'One.'],
        [3, `${whose} ${'x'.repeat(2_000)}`.slice(0, 2_000)],
        [2, whose],
      ]);
      expect(await rowsOf('finding_history', other)).toEqual([]);
    };
  },

  'retests go with it; of two that are not over the one that runs goes on': async () => {
    const [kept = 0, other = 0] = await recordedTwice({ status: 4 }, { status: 4 });
    const over = await retest(other, { status: 'finished', result: 'fixed', finished: day(5) });
    const [waiting, running] = [randomUUID(), randomUUID()];
    await retest(kept, { uuid: waiting });
    await retest(other, { uuid: running, status: 'in_progress' });
    for (const [reference, state, lease] of [
      [waiting, 'waiting', null],
      [running, 'running', '2099-01-01'],
    ])
      await insert('work', { kind: 'retest.run', reference, state, lease_until: lease });
    return async () => {
      const retests = await rowsOf<{ id: number }>('retests', kept, 'id');
      expect(retests).toMatchObject([
        { id: over, status: 'finished', result: 'fixed' },
        { uuid: waiting, status: 'canceled', result: null, reason: expect.stringContaining('was merged') },
        { uuid: running, status: 'in_progress', finished: null },
      ]);
      const states = await old.query('SELECT state FROM work WHERE reference = ANY($1) ORDER BY id', [
        [waiting, running],
      ]);
      expect(states).toEqual([{ state: 'canceled' }, { state: 'running' }]);
    };
  },

  'the check is the one that was recorded last, with the last baseline that was taken with it': async () => {
    const recipe = (http: string): string => JSON.stringify({ location: 'https://example.com/', http });
    const [kept = 0, second = 0, third = 0] = await recordedTwice(
      { check_id: 'own', recipe: recipe('before'), last_seen: day(1) },
      { check_id: 'own', recipe: recipe('now'), last_seen: day(3) },
      { check_id: 'own', recipe: recipe('now'), last_seen: day(2) },
    );
    const baseline = (findingId: number, http: string, taken: string): Promise<number> =>
      insert('finding_baselines', {
        finding_id: findingId,
        organization_id: organizationId,
        recipe: recipe(http),
        baseline: JSON.stringify({ of: findingId }),
        taken,
      });
    await baseline(kept, 'before', day(9));
    await baseline(second, 'now', day(3));
    await baseline(third, 'now', day(4));
    return async () => {
      expect(await finding(kept)).toMatchObject({ recipe: { http: 'now' } });
      expect(await rowsOf('finding_baselines', kept)).toMatchObject([
        { recipe: { http: 'now' }, baseline: { of: third }, taken: new Date(day(4)) },
      ]);
    };
  },

  'a first look that waits is one at the finding that stays, and of two at the same one goes': async () => {
    const [kept = 0, second = 0, third = 0] = await recordedTwice({}, {}, {});
    const look = (reference: string): Promise<number> => insert('work', { kind: 'finding.baseline', reference });
    const ids = [await look(`${second} one`), await look(`${third} one`), await look(`${third} two`)];
    return async () => {
      expect(await old.query('SELECT reference, state FROM work WHERE id = ANY($1) ORDER BY id', [ids])).toEqual([
        { reference: `${kept} one`, state: 'waiting' },
        { reference: `${kept} one`, state: 'canceled' },
        { reference: `${kept} two`, state: 'waiting' },
      ]);
    };
  },

  'what jobs showed stays: seen where one of them was seen': async () => {
    const [kept = 0, other = 0] = await recordedTwice({}, {});
    const shown = (findingId: number, job: number | undefined, outcome: string, severity: number | null) =>
      insert('job_findings', {
        job_id: job,
        finding_id: findingId,
        organization_id: organizationId,
        outcome,
        severity,
      });
    await shown(kept, jobs[0], 'gone', null);
    await shown(other, jobs[0], 'seen', 4);
    await shown(other, jobs[1], 'gone', null);
    await shown(kept, jobs[2], 'seen', 2);
    return async () => {
      expect(await rowsOf('job_findings', kept, 'job_id')).toMatchObject([
        { job_id: jobs[0], outcome: 'seen', severity: 4 },
        { job_id: jobs[1], outcome: 'gone', severity: null },
        { job_id: jobs[2], outcome: 'seen', severity: 2 },
      ]);
    };
  },

  'the log says what became of those that are gone': async () => {
    const [kept = 0, other = 0] = await recordedTwice({ status: 1 }, { status: 5 });
    return async () => {
      const entries = await old.query<{ id: string }>(
        `SELECT * FROM audit_logs WHERE organization_id = $1 AND resource_id = $2`,
        [organizationId, String(other)],
      );
      expect(entries).toMatchObject([
        {
          id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
          operation: 'finding.merge',
          status: 'success',
          metadata: { into: kept, from: 5, to: 1 },
        },
      ]);
      const [{ id } = { id: '' }] = entries;
      expect(Math.abs(Number.parseInt(id.replace('-', '').slice(0, 12), 16) - Date.now())).toBeLessThan(86_400_000);
    };
  },

  'what was there once stays as it is': async () => {
    const fingerprint = randomBytes(32);
    const [another] = await old.query<{ id: number }>(
      `INSERT INTO organizations (name, folded_name) VALUES ('b', 'b') RETURNING id`,
    );
    const [once = 0] = await recordedTwice({ fingerprint, event_id: events[0], status: 5, last_seen: day(8) });
    const [elsewhere = 0] = await recordedTwice({ fingerprint, asset_id: null, asset_value: 'https://example.com/b' });
    const [foreign = 0] = await recordedTwice({ fingerprint, asset_id: null, organization_id: another?.id });
    // The same weakness on an asset where it is there twice.
    await recordedTwice(
      { fingerprint, asset_value: 'https://example.com/c' },
      { fingerprint, asset_value: 'https://example.com/c' },
    );
    const before = await Promise.all([once, elsewhere, foreign].map(finding));
    return async () => {
      const after = await Promise.all([once, elsewhere, foreign].map(finding));
      expect(after).toEqual(before.map((row) => ({ ...row, identity: undefined })));
      expect(await rowsOf('event_findings', once)).toMatchObject([
        { event_id: events[0], first_seen: new Date(day(1)), last_seen: new Date(day(8)) },
      ]);
      for (const id of [elsewhere, foreign]) expect(await rowsOf('event_findings', id)).toEqual([]);
    };
  },
};

const asserts = new Map<string, () => Promise<void>>();

beforeAll(async () => {
  old = await OldDatabase.before(KeepOneFindingPerWeakness1763726400000);
  organizationId = await insert('organizations', { name: 'a', folded_name: 'a' });
  assetId = await insert('assets', { organization_id: organizationId, value: 'https://example.com/', type: 'url' });
  const event = (slug: string): Promise<number> =>
    insert('events', {
      organization_id: organizationId,
      name: slug,
      slug,
      event_type: 1,
      event_category: 1,
      status: 'running',
      start_date: '2026-01-01',
      end_date: '2099-01-01',
    });
  events = [await event('one'), await event('two')];
  const job = (): Promise<number> =>
    insert('jobs', {
      uuid: randomUUID(),
      organization_id: organizationId,
      asset_id: assetId,
      url: 'https://example.com/',
    });
  jobs = [await job(), await job(), await job()];
  for (const [name, write] of Object.entries(cases)) asserts.set(name, await write());
  // Counted twice, as it was.
  await old.query(
    `INSERT INTO asset_totals (asset_id, organization_id, findings, medium)
     SELECT asset_id, organization_id, count(*), count(*) FROM findings WHERE asset_id IS NOT NULL GROUP BY 1, 2`,
  );
  expect((await old.migrate())[0]).toBe(KeepOneFindingPerWeakness1763726400000.name);
}, 60_000);

it.each(Object.keys(cases))('%s', async (name) => {
  const assert = asserts.get(name);
  if (assert === undefined) throw new Error('it was not written before the migration');
  await assert();
});

it('the totals of the asset count the merged findings', async () => {
  const [kept] = await old.query(
    'SELECT findings, cosmic, critical, high, medium, low FROM asset_totals WHERE asset_id = $1',
    [assetId],
  );
  const open = (severity: number): string => `count(*) FILTER (WHERE status <= 4 AND severity = ${severity})::int`;
  const [counted] = await old.query<{ findings: number }>(
    `SELECT count(*)::int AS findings, ${open(6)} AS cosmic, ${open(5)} AS critical, ${open(4)} AS high,
       ${open(3)} AS medium, ${open(2)} AS low FROM findings WHERE asset_id = $1`,
    [assetId],
  );
  expect(counted?.findings).toBeGreaterThan(15);
  expect(kept).toEqual(counted);
});

it('no duplicate findings remain, and new ones violate a constraint', async () => {
  const twice = await old.query(
    'SELECT 1 FROM findings GROUP BY organization_id, fingerprint, asset_value HAVING count(*) > 1',
  );
  expect(twice).toEqual([]);
  await expect(
    old.query(
      `INSERT INTO findings (organization_id, asset_value, title, severity, priority, fingerprint)
       SELECT organization_id, asset_value, title, severity, priority, fingerprint FROM findings LIMIT 1`,
    ),
  ).rejects.toThrow('uq_findings_identity');
});
