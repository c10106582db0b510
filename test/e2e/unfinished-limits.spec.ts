import { useApi } from '../support/api';
import { sortedStatuses, repeat } from '../support/answers';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { lockInserts, expectWaitingForLocks } from '../support/row-locks';

/** Enough connections and time for twenty transactions that wait for each other. */
const api = useApi({ DATABASE_POOL_SIZE: '25' });
const make = new Factories(api);

interface Fixture {
  readonly organizationId: number;
  readonly client: Client;
  /** Requests another one. */
  readonly start: (number: number) => ReturnType<Client['post']>;
  /** Inserts this many unfinished ones. */
  readonly fill: (count: number) => Promise<void>;
}

async function jobs(): Promise<Fixture> {
  const { id: organizationId, as } = await make.organization();
  const { client } = await as('member');
  const { value } = await make.domain(organizationId, { verified: true });
  const url = `https://${value}/`;
  return {
    organizationId,
    client,
    start: () => client.post('/v1/jobs/launch', { url }),
    fill: async (count) => {
      await query(
        `INSERT INTO jobs (uuid, organization_id, url, status)
         SELECT gen_random_uuid(), $1, $2, CASE n % 2 WHEN 0 THEN 'PENDING' ELSE 'IN_PROGRESS' END FROM generate_series(1, $3) n`,
        [organizationId, url, count],
      );
    },
  };
}

async function retests(): Promise<Fixture> {
  const { id: organizationId, as } = await make.organization();
  const { client } = await as('member');
  const findings: number[] = [];
  for (let number = 0; number < 220; number++) findings.push((await make.finding(organizationId)).id);
  return {
    organizationId,
    client,
    start: (number) => client.post(`/v1/findings/${findings[number]}/retest/`),
    fill: async (count) => {
      await query(
        `INSERT INTO retests (uuid, organization_id, finding_id, status)
         SELECT gen_random_uuid(), $1, id, CASE id % 2 WHEN 0 THEN 'pending' ELSE 'in_progress' END FROM unnest($2::int[]) id`,
        [organizationId, findings.slice(-count)],
      );
    },
  };
}

async function reports(): Promise<Fixture> {
  const { id: organizationId, as } = await make.organization();
  const { client } = await as('member');
  const { slug } = await make.event(organizationId);
  const start = () => client.post(`/v1/events/${slug}/reports/`, {});
  return {
    organizationId,
    client,
    start,
    fill: async (count) => {
      for (let number = 0; number < count; number++) await start();
    },
  };
}

const unfinished = {
  jobs: `status IN ('PENDING', 'IN_PROGRESS')`,
  retests: `status IN ('pending', 'in_progress')`,
  reports: 'generation_date IS NULL AND error IS NULL',
};

const endings = {
  jobs: `UPDATE jobs SET status = 'CANCELED', finished = now()`,
  retests: `UPDATE retests SET status = 'canceled', finished = now()`,
  reports: `UPDATE reports SET error = 'It failed.'`,
};

const rowsOf = (table: keyof typeof unfinished, organizationId: number): Promise<{ id: number }[]> =>
  query(`SELECT id FROM ${table} WHERE organization_id = $1 AND ${unfinished[table]}`, [organizationId]);

describe.each([
  { table: 'jobs', scene: jobs, most: 50, accepted: 201, next: 'Launch another when one of them ends, or cancel one.' },
  {
    table: 'retests',
    scene: retests,
    most: 200,
    accepted: 202,
    next: 'Start another when one of them ends, or cancel one.',
  },
  {
    table: 'reports',
    scene: reports,
    most: 20,
    accepted: 202,
    next: 'Order another when one of them is generated.',
  },
] as const)('the unfinished $table of an organization', ({ table, scene, most, accepted, next }) => {
  it(`are at most ${most}, also for twenty simultaneous requests`, async () => {
    const { organizationId, start, fill } = await scene();
    await fill(most - 5);
    // All requests have started before the first one inserts its row.
    const release = await lockInserts(table);
    const started = Promise.all(repeat(20, null).map((_, number) => start(number)));
    try {
      await expectWaitingForLocks(20);
    } finally {
      await release();
    }
    const answers = await started;
    expect(sortedStatuses(answers)).toEqual([...repeat(5, accepted), ...repeat(15, 422)]);
    expect(await rowsOf(table, organizationId)).toHaveLength(most);
    expect(answers.find(({ status }) => status === 422)?.body.description).toBe(
      `${most} ${table} of this organization are unfinished, which is the limit. ${next}`,
    );
    // Canceled, so that workers of other tests do not run them.
    await query(`UPDATE work SET state = 'canceled', finished = now() WHERE organization_id = $1`, [organizationId]);
  });

  it('are counted for each organization, until they end', async () => {
    const { organizationId, start, fill } = await scene();
    const other = await scene();
    await fill(most);
    expect((await start(0)).status).toBe(422);
    expect((await other.start(0)).status).toBe(accepted);
    const [first] = await rowsOf(table, organizationId);
    await query(`${endings[table]} WHERE id = $1`, [first?.id]);
    expect((await start(0)).status).toBe(accepted);
    expect((await start(1)).status).toBe(422);
    for (const id of [organizationId, other.organizationId])
      await query(`UPDATE work SET state = 'canceled', finished = now() WHERE organization_id = $1`, [id]);
  });
});
