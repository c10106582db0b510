import { StoredRows } from '../../src/platform/limits/stored-rows';
import { repeat, sortedStatuses } from '../support/answers';
import { useApi } from '../support/api';
import type { Answer, Client } from '../support/client';
import { itWithTwoRoles, query, roleOf, testDatabase } from '../support/database';
import { Factories, type Tenant, unique, uniqueDomain } from '../support/factories';
import { withLimit } from '../support/stored-limits';

/** Enough connections and time for twenty transactions that wait for each other. */
const api = useApi({ DATABASE_POOL_SIZE: '25' });
const make = new Factories(api);

interface Fixture {
  readonly tenant: Tenant;
  /** Adds a row with a request. */
  readonly add: (number: number) => Promise<Answer>;
}

interface Case {
  readonly table: string;
  readonly accepted: number;
  readonly fixture: () => Promise<Fixture>;
  /** What the refusal says after the number. */
  readonly text: string;
}

async function as(
  role: 'owner' | 'admin' | 'member',
  add: (client: Client, tenant: Tenant) => Promise<(number: number) => Promise<Answer>>,
): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as(role);
  return { tenant, add: await add(client, tenant) };
}

const TWENTY = Array.from({ length: 20 }, (_, number) => number);

const findingOn = (assetValue: string, number: number) => ({
  title: `Weakness ${number}`,
  asset_value: assetValue,
  severity: 'low',
});

async function assetsOf({ id }: Tenant): Promise<number[]> {
  const added: number[] = [];
  for (const _ of TWENTY) added.push((await make.asset(id)).id);
  return added;
}

const UNDO = 'Undo imports that you no longer need.';
const OPERATOR = 'Ask the operator of the service for more.';

const cases: readonly Case[] = [
  {
    table: 'events',
    accepted: 201,
    text: `events, which is the limit. ${OPERATOR}`,
    fixture: () =>
      as(
        'admin',
        async (client, { id }) =>
          (number) =>
            client.post(`/v1/organizations/${id}/events/`, {
              name: `Event ${number}`,
              event_type: 1,
              event_category: 1,
              start_date: '2999-01-01',
            }),
      ),
  },
  {
    table: 'domains',
    accepted: 201,
    text: 'domains, which is the limit. Delete one first.',
    fixture: () =>
      as(
        'member',
        async (client, { id }) =>
          () =>
            client.post('/v1/domains/', { organization_id: id, value: uniqueDomain() }),
      ),
  },
  {
    table: 'assets',
    accepted: 201,
    text: 'assets, which is the limit. Delete one first.',
    fixture: () =>
      as(
        'member',
        async (client, { id }) =>
          () =>
            client.post('/v1/assets/', { organization_id: id, asset_value: uniqueDomain(), asset_type: 'domain' }),
      ),
  },
  {
    table: 'event_scope',
    accepted: 201,
    text: 'assets in the scopes of its events, which is the limit. Remove one first.',
    fixture: () =>
      as('admin', async (client, tenant) => {
        const { slug } = await make.event(tenant.id);
        const assets = await assetsOf(tenant);
        return (number) =>
          client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: assets[number], in_scope: true });
      }),
  },
  {
    table: 'accepted_checks',
    accepted: 200,
    text: 'accepted checks, which is the limit. Remove one first.',
    fixture: () =>
      as('admin', async (client, tenant) => {
        const assets = await assetsOf(tenant);
        const until = new Date(Date.now() + 86_400_000).toISOString();
        return (number) =>
          client.put(`/v1/assets/${assets[number]}/accepted-checks/missing-hsts`, { reason: 'It is known.', until });
      }),
  },
  {
    table: 'findings',
    accepted: 201,
    text: `findings, which is the limit. ${UNDO}`,
    fixture: () =>
      as('member', async (client, { id }) => {
        const { slug } = await make.event(id);
        return (number) => client.post(`/v1/events/${slug}/findings/`, findingOn('a.example', number));
      }),
  },
  {
    table: 'event_findings',
    accepted: 201,
    text: `findings in its events, which is the limit. ${UNDO}`,
    fixture: () =>
      as('member', async (client, { id }) => {
        const { slug } = await make.event(id);
        return (number) => client.post(`/v1/events/${slug}/findings/`, findingOn('a.example', number));
      }),
  },
  {
    table: 'finding_sightings',
    accepted: 201,
    text: `sightings of its findings, which is the limit. ${UNDO}`,
    fixture: () =>
      as('member', async (client, { id }) => {
        const { slug } = await make.event(id);
        return (number) => client.post(`/v1/events/${slug}/findings/`, findingOn('a.example', number));
      }),
  },
  {
    table: 'finding_history',
    accepted: 201,
    text: 'entries in the history of its findings, which is the limit. The operator of the service can archive old ones.',
    fixture: () =>
      as('member', async (client, { id }) => {
        const finding = await make.finding(id);
        return (number) => client.post(`/v1/findings/${finding.id}/comments/`, { comment: `Comment ${number}` });
      }),
  },
  {
    table: 'retests',
    accepted: 202,
    text: `retests, which is the limit. ${OPERATOR}`,
    fixture: () =>
      as('member', async (client, { id }) => {
        const findings: number[] = [];
        for (const _ of TWENTY) findings.push((await make.finding(id)).id);
        return (number) => client.post(`/v1/findings/${findings[number]}/retest/`);
      }),
  },
  {
    table: 'idempotency_keys',
    accepted: 201,
    text: 'stored responses of the last 24 hours, which is the limit. Send this request without an Idempotency-Key, or later.',
    fixture: () =>
      as('member', async (client, { id }) => {
        const finding = await make.finding(id);
        return (number) =>
          client.post(
            `/v1/findings/${finding.id}/comments/`,
            { comment: 'A comment' },
            { 'idempotency-key': `key-${number}` },
          );
      }),
  },
  {
    table: 'invitations',
    accepted: 201,
    text: 'invitations of the last weeks, which is the limit. They are removed 30 days after they have expired.',
    fixture: () =>
      as(
        'owner',
        async (client, { id }) =>
          (number) =>
            client.post(`/v1/organizations/${id}/invitations/`, {
              email: `${number}-${uniqueDomain()}@example.com`,
              role: 'viewer',
            }),
      ),
  },
];

const countOf = async (table: string, { id }: Tenant): Promise<number> => {
  const [row] = await query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table} WHERE organization_id = $1`,
    [id],
  );
  return row?.count ?? 0;
};

describe.each(cases)('the $table of an organization', ({ table, accepted, fixture, text }) => {
  it('have a limit that is exact for twenty simultaneous requests, and leaves other organizations unharmed', async () => {
    const [full, other] = [await fixture(), await fixture()];
    const before = await countOf(table, full.tenant);
    await withLimit(table, before + 5, async () => {
      const answers = await Promise.all(TWENTY.map((number) => full.add(number)));
      expect(sortedStatuses(answers)).toEqual([...repeat(5, accepted), ...repeat(15, 422)]);
      expect(await countOf(table, full.tenant)).toBe(before + 5);
      const refused = answers.find(({ status }) => status === 422);
      expect(refused?.body.description).toBe(`This organization has ${before + 5} ${text}`);
      expect((await other.add(0)).status).toBe(accepted);
    });
  });
});

it('the bytes of an organization have a limit, whatever table has them', async () => {
  const recording = () =>
    as('member', async (client, { id }) => {
      const { slug } = await make.event(id);
      return (number) =>
        client.post(`/v1/events/${slug}/findings/`, { ...findingOn('a.example', number), md: 'Text. '.repeat(5_000) });
    });
  const [full, other] = [await recording(), await recording()];
  await withLimit('bytes', 1_048_576, async () => {
    const answers: Answer[] = [];
    while (answers.length < 100 && answers.at(-1)?.status !== 422) answers.push(await full.add(answers.length));
    expect(answers.at(-1)?.body.description).toBe(
      `This organization stores 1 MiB, which is the limit. ${UNDO} Or ask the operator of the service for more.`,
    );
    expect(answers.length).toBeGreaterThan(10);
    expect((await other.add(0)).status).toBe(201);
  });
});

it('an organization has a limit of members', async () => {
  const [full, other] = [await make.organization(), await make.organization()];
  await full.as('owner');
  const user = await make.user();
  await withLimit('memberships', 1, async () => {
    await expect(make.membership(user, full.id, 'viewer')).rejects.toMatchObject({ constraint: 'limit_memberships' });
    await make.membership(user, other.id, 'viewer');
  });
});

describe('when an organization has the maximum of them, the oldest that ended makes room:', () => {
  const oldest = async (table: string, { id }: Tenant) =>
    (await query<{ id: number }>(`SELECT id FROM ${table} WHERE organization_id = $1 ORDER BY id`, [id])).map(
      (row) => row.id,
    );

  it('jobs', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const { value } = await make.domain(tenant.id, { verified: true });
    const launch = async () => (await client.post('/v1/jobs/launch', { url: `https://${value}/` })).status;
    expect([await launch(), await launch(), await launch()]).toEqual([201, 201, 201]);
    const [first, second, third] = await oldest('jobs', tenant);
    await query(`UPDATE jobs SET status = 'CANCELED', finished = now() WHERE id = $1`, [second]);
    await withLimit('jobs', 3, async () => {
      expect(await launch()).toBe(201);
      expect((await oldest('jobs', tenant)).slice(0, 2)).toEqual([first, third]);
      // None has ended.
      expect(await launch()).toBe(422);
    });
    await query(`UPDATE work SET state = 'canceled', finished = now() WHERE organization_id = $1`, [tenant.id]);
  });

  it('reports', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const { slug } = await make.event(tenant.id);
    const order = async () => (await client.post(`/v1/events/${slug}/reports/`, {})).status;
    expect([await order(), await order()]).toEqual([202, 202]);
    const [first, second] = await oldest('reports', tenant);
    await query(`UPDATE reports SET error = 'It failed.' WHERE id = $1`, [first]);
    await withLimit('reports', 2, async () => {
      expect(await order()).toBe(202);
      expect((await oldest('reports', tenant))[0]).toBe(second);
      expect(await order()).toBe(422);
    });
    await query(`UPDATE work SET state = 'canceled', finished = now() WHERE organization_id = $1`, [tenant.id]);
  });
});

describe('of these only the newest are kept:', () => {
  it('the retests of a finding', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const { id } = await make.finding(tenant.id);
    await query(
      `INSERT INTO retests (uuid, organization_id, finding_id, status, finished)
       SELECT gen_random_uuid(), $1, $2, 'canceled', now() FROM generate_series(1, 120)`,
      [tenant.id, id],
    );
    expect((await client.post(`/v1/findings/${id}/retest/`)).status).toBe(202);
    expect(await countOf('retests', tenant)).toBe(100);
  });

  it('the sightings of a finding by a rule of a scanner, and the first one', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const { slug } = await make.event(tenant.id);
    const record = () => client.post(`/v1/events/${slug}/findings/`, findingOn('a.example', 1));
    for (const _ of repeat(56, null)) expect((await record()).status).toBeLessThan(300);
    const kept = await query<{ outcome: string }>(
      'SELECT outcome FROM finding_sightings WHERE organization_id = $1 ORDER BY id',
      [tenant.id],
    );
    expect(kept.map(({ outcome }) => outcome)).toEqual(['created', ...repeat(50, 'seen_again')]);
  });

  it('the keys of a user that have ended', async () => {
    const tenant = await make.organization();
    const { client, userId } = await tenant.as('member');
    await query(
      `INSERT INTO api_keys (access_key, secret_hash, user_id, label, scopes, revoked)
       SELECT 'old-' || $1::int || '-' || n, '\\x00', $1::int, 'old', ARRAY['read'], now() FROM generate_series(1, 250) n`,
      [userId],
    );
    expect((await client.post('/v1/api-keys/', { label: unique('Key'), scopes: ['read'] })).status).toBe(201);
    const [row] = await query<object>(
      'SELECT count(*) FILTER (WHERE revoked IS NOT NULL)::int AS ended, count(*)::int AS all FROM api_keys WHERE user_id = $1',
      [userId],
    );
    expect(row).toEqual({ ended: 200, all: 202 });
  });
});

it('an integrator without a limit of its own creates 10,000 organizations at most', async () => {
  const { client, integratorId } = await make.integrator();
  await query(
    `INSERT INTO organizations (name, folded_name, integrator_id) SELECT 'o' || n, 'o' || n, $1 FROM generate_series(1, 9999) n`,
    [integratorId],
  );
  expect((await client.post('/v1/organizations/', { name: 'The last one' })).status).toBe(201);
  const refused = await client.post('/v1/organizations/', { name: 'One more' });
  expect(refused.status).toBe(422);
  expect(refused.body.description).toContain('10000');
});

describe('the counts of stored rows', () => {
  const counted = (table: string) =>
    query<{ id: number; rows: number; bytes: string }>(
      `SELECT organization_id AS id, sum(rows)::int AS rows, sum(bytes)::text AS bytes FROM stored_rows
       WHERE table_name = '${table}' AND organization_id IN (SELECT id FROM organizations WHERE deleted_at IS NULL) GROUP BY 1 HAVING sum(rows) <> 0 ORDER BY 1`,
    );

  /** Of deleted organizations the rows are not counted, until they are removed. */
  const existing = (table: string) =>
    query<{ id: number; rows: number; bytes: string }>(
      `SELECT organization_id AS id, count(*)::int AS rows, sum(octet_length((t.*)::text))::text AS bytes FROM ${table} t
       WHERE organization_id IN (SELECT id FROM organizations WHERE deleted_at IS NULL) GROUP BY 1 ORDER BY 1`,
    );

  const rowsOf = ({ id, rows }: { id: number; rows: number }) => ({ id, rows });

  it('are those of the rows that exist, also after they were added up', async () => {
    const { id, as: memberAs } = await make.organization();
    const { client } = await memberAs('member');
    const finding = await make.finding(id, { md: 'Some text.' });
    for (const _ of repeat(2, null)) await make.finding(id);
    await make.asset(id);
    // The organization of the response and its text are written later than the row.
    const comment = { comment: 'A comment' };
    await client.post(`/v1/findings/${finding.id}/comments/`, comment, {
      'idempotency-key': unique('key').replace(' ', '-'),
    });
    expect(await existing('idempotency_keys')).not.toEqual([]);
    await query('DELETE FROM findings WHERE id = (SELECT max(id) FROM findings WHERE organization_id = $1)', [id]);
    await api.app.get(StoredRows).addUp();
    const rows = await query<object>(
      `SELECT rows::int FROM stored_rows WHERE organization_id = $1 AND table_name = 'findings'`,
      [id],
    );
    expect(rows).toEqual([{ rows: 2 }]);
    for (const table of ['finding_sightings', 'finding_history', 'assets', 'retests', 'idempotency_keys']) {
      const [counts, rows] = [await counted(table), await existing(table)];
      expect(counts.map(rowsOf)).toEqual(rows.map(rowsOf));
      // A short field that changes later, as a time does, is not counted again: only this organization changed none.
      expect(counts.find((count) => count.id === id)).toEqual(rows.find((row) => row.id === id));
    }
  });
});

describe('a limit far away', () => {
  it('is checked with each change once an organization has half of it', async () => {
    const { id } = await make.organization();
    await make.domain(id);
    await query("INSERT INTO stored_rows (organization_id, table_name, rows, bytes) VALUES ($1, 'domains', 5999, 0)", [
      id,
    ]);
    await withLimit('domains', 6_000, async () => {
      await make.domain(id);
      await api.app.get(StoredRows).addUp();
      await expect(make.domain(id)).rejects.toThrow('6,000 domains, which is the limit');
    });
    await api.app.get(StoredRows).addUp();
    await make.domain(id);
  });
});

itWithTwoRoles('the service may not set the limits', async () => {
  const [row] = await query<object>(
    `SELECT has_table_privilege($1, 'stored_limits', 'INSERT, UPDATE, DELETE') AS may,
       has_table_privilege($1, 'stored_limits', 'SELECT') AS reads`,
    [roleOf((await testDatabase()).appUrl)],
  );
  expect(row).toEqual({ may: false, reads: true });
});
