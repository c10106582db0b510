import { type RunningApi, startApi } from '../support/api';
import { useContract } from '../support/contract';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { TrackerServer } from '../support/tracker-server';
import { endRetest, TrackerTime } from '../support/trackers';

const TARGET = '127.0.0.1:22802';
const FINDINGS = 200;
const DAYS = 14;
const HOURS_OF_WORK = 8;

const server = new TrackerServer();
let running: RunningApi;
const api: RunningApi = {
  get app() {
    return running.app;
  },
  get url() {
    return running.url;
  },
  get port() {
    return running.port;
  },
};
const make = new Factories(api);
const time = new TrackerTime(api);

beforeAll(async () => {
  await server.start();
  running = await startApi({ WEBHOOK_ALLOW: server.entry, EGRESS_ALLOW: TARGET });
  useContract(running.app);
});

afterAll(async () => {
  jest.restoreAllMocks();
  await running.app.close();
  await server.stop();
});

/** Reproducible: the seed is part of the title. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

it('keeps 200 tickets in step for a fortnight, in which two people change them and answers are lost (seed 56)', async () => {
  const random = randomOf(56);
  server.now = time.now;
  time.start();
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const draft = { name: 'Board', kind: 'github', project: 'acme/shop', address: server.url, token: 'a-secret-token' };
  const path = `/v1/organizations/${tenant.id}/trackers`;
  const { body } = await client.post(path, { ...draft, automatic: true, daily_limit: 500 });
  await time.turn();
  expect((await client.patch(`${path}/${body.id}`, { state: 'active' })).status).toBe(200);

  const url = `http://${TARGET}`;
  const { id } = await make.asset(tenant.id, { value: url, type: 'url' });
  const ids: number[] = [];
  for (let count = 0; count < FINDINGS; count++) {
    // One in ten has no check that can run.
    const check =
      count % 10 === 0 ? {} : { checkId: 'missing-nosniff', checkDefinition: { location: `${url}/${count}` } };
    ids.push((await make.finding(tenant.id, { asset: { id, value: url, tier: null }, ...check })).id);
  }
  const isLost = () => random() < 0.02;
  /** The weakness is really gone from these. */
  const mended = new Set<number>();

  const answerTests = async (): Promise<void> => {
    const waiting = await query<{ findingId: number; hasCheck: boolean }>(
      `SELECT finding_id AS "findingId", check_id IS NOT NULL AS "hasCheck" FROM retests
       WHERE organization_id = $1 AND status = 'pending'`,
      [tenant.id],
    );
    await query("UPDATE retests SET created = $1 WHERE organization_id = $2 AND status = 'pending'", [
      time.now(),
      tenant.id,
    ]);
    for (const { findingId, hasCheck } of waiting) {
      const luck = random();
      const result = mended.has(findingId)
        ? luck < 0.9
          ? 'fixed'
          : 'inconclusive'
        : luck < 0.9
          ? 'still_vulnerable'
          : 'blocked';
      if (hasCheck) await endRetest(api, findingId, result);
      else if (luck < 0.5)
        await client.post(`/v1/findings/${findingId}/retest/verdict`, {
          result: mended.has(findingId) ? 'fixed' : 'still_vulnerable',
        });
    }
  };
  const people = async (): Promise<void> => {
    for (let change = 0; change < 6; change++) {
      const number = 1 + Math.floor(random() * FINDINGS);
      const ticket = server.tickets.find((one) => one.number === number);
      if (ticket === undefined) continue;
      const luck = random();
      const findingId = Number(/findings\/(\d+)/.exec(String(ticket.body))?.[1]);
      if (luck < 0.6) {
        if (random() < 0.6) mended.add(findingId);
        server.change(number, 'done');
      } else if (luck < 0.75) server.change(number, 'wont_do');
      else if (luck < 0.85) server.change(number, 'open');
      else if (luck < 0.95)
        await client.post(`/v1/findings/${findingId}/status`, {
          status: 6,
          comment: 'Known',
          until: new Date(Date.now() + 90 * 86_400_000).toISOString(),
        });
    }
  };
  const turn = async (): Promise<void> => {
    if (isLost()) server.lose(({ method }) => method !== 'GET');
    if (isLost()) server.refuse(() => true, { status: 502, body: {} });
    await time.turn();
    await answerTests();
    time.advance(10);
  };
  for (let day = 0; day < DAYS; day++) {
    for (let hour = 0; hour < HOURS_OF_WORK; hour++) {
      await people();
      for (let part = 0; part < 6; part++) await turn();
    }
    time.advance((24 - HOURS_OF_WORK) * 60);
  }
  // Nobody does anything more, and no answer is lost.
  for (let day = 0; day < 9; day++) {
    for (let count = 0; count < 8; count++) {
      await time.turn();
      await answerTests();
      time.advance(15);
    }
    time.advance(22 * 60);
  }
  const written = server.requests.filter(({ method }) => method !== 'GET').length;
  for (let count = 0; count < 10; count++) {
    await time.turn();
    time.advance(4 * 60);
  }
  // No loop: where nothing happens, nothing is written.
  expect(server.requests.filter(({ method }) => method !== 'GET')).toHaveLength(written);

  const tickets = await query<{
    findingId: number;
    key: string;
    state: string;
    error: string | null;
    proved: boolean;
    accepted: boolean;
  }>(
    `SELECT t.finding_id AS "findingId", t.key, t.state, t.error, f.status >= 6 AS accepted,
       f.status = 5 AND EXISTS (SELECT 1 FROM retests r WHERE r.finding_id = f.id AND r.result = 'fixed') AS proved
     FROM tickets t JOIN findings f ON f.id = t.finding_id WHERE t.organization_id = $1`,
    [tenant.id],
  );
  expect(tickets).toHaveLength(FINDINGS);
  expect(server.tickets).toHaveLength(FINDINGS);
  const stateOf = ({ key }: { key: string }) => server.ticket(Number(key.slice(1))).state;
  expect(tickets.filter(({ error, state }) => error !== null && state !== 'person')).toEqual([]);
  for (const one of tickets) {
    // What a person decides after three disagreements is not Assay's.
    if (one.state === 'person') continue;
    expect({ ...one, isClosed: stateOf(one) !== 'open' }).toMatchObject({ isClosed: one.proved || one.accepted });
  }
  for (const { comments } of server.tickets) {
    const markers = comments.map(({ body: said }) => /assay:([\da-f-]{36})/.exec(String(said))?.[1]);
    expect(new Set(markers).size).toBe(markers.length);
  }
  expect(tickets.filter(({ state }) => state === 'closed').length).toBeGreaterThan(50);
  expect(tickets.filter(({ state }) => state === 'open').length).toBeGreaterThan(20);
}, 1_200_000);
