import { type RunningApi, startApi } from '../support/api';
import { type Answer, basic, Client, type Credentials } from '../support/client';
import { useContract } from '../support/contract';
import { eventually } from '../support/eventually';
import { Factories, type Person, unique } from '../support/factories';
import { HotStandby } from '../support/hot-standby';
import { describeWithInstalledPostgres } from '../support/installed-postgres';

describeWithInstalledPostgres('reads from replicas', () => {
  const database = new HotStandby();
  let api: RunningApi;
  let other: RunningApi;
  let make: Factories;
  let client: Client;
  let credentials: Credentials;
  let reader: Client;
  let id: number;
  let organizationId: number;

  beforeAll(async () => {
    await database.start();
    const settings = { DATABASE_URL: database.primaryUrl, DATABASE_REPLICA_URLS: database.replicaUrl };
    api = await startApi(settings);
    // Otherwise it knows callers for seconds, whatever the replica has.
    other = await startApi({ ...settings, AUTH_CACHE_SECONDS: '0' });
    useContract(api.app);
    make = new Factories(api);
    const organization = await make.organization();
    ({ client, credentials } = await organization.as('admin'));
    ({ client: reader } = await organization.as('viewer'));
    organizationId = organization.id;
    ({ id } = await make.finding(organization.id));
    await eventually(async () => expect(await readsOfReplicaDuring(() => read())).toBeGreaterThan(0), 20_000);
  });
  afterAll(async () => {
    await api?.app.close();
    await other?.app.close();
    await database.postgres.remove();
  });

  const read = async (as = client): Promise<string> => {
    const { status, text } = await as.get(`/v1/findings/${id}/`);
    expect(status).toBe(200);
    return text;
  };

  /** Scans of the table by the standby itself. */
  const scans = async (): Promise<number> => {
    // The counters of a session reach the others when it is idle.
    await database.postgres.query('replica', 'SELECT pg_stat_clear_snapshot()');
    const [row] = await database.postgres.query<{ scans: number }>(
      'replica',
      `SELECT (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int AS scans FROM pg_stat_user_tables WHERE relname = 'findings'`,
    );
    return row?.scans ?? 0;
  };

  async function readsOfReplicaDuring(work: () => Promise<unknown>): Promise<number> {
    const before = await scans();
    await work();
    await eventually(async () => expect(await scans()).toBeGreaterThan(before), 1_500).catch(() => undefined);
    return (await scans()) - before;
  }

  const rename = async (): Promise<string> => {
    const title = unique('Renamed');
    expect((await client.patch(`/v1/findings/${id}/`, { title })).status).toBe(200);
    return title;
  };

  it('answers a plain read by the replica', async () => {
    await eventually(async () => expect(await readsOfReplicaDuring(() => read())).toBeGreaterThan(0), 20_000);
  });

  it('shows a caller its own write, also in another process, while the replica lacks it', async () => {
    await database.pauseReplay();
    try {
      const title = await rename();
      expect(await read()).toContain(title);
      const elsewhere = new Client(() => other.url, credentials);
      expect((await elsewhere.get(`/v1/findings/${id}/`)).text).toContain(title);
    } finally {
      await database.resumeReplay();
    }
  });

  it('shows a reader of the feed what its entries are about, and its own positions, while the replica lacks them', async () => {
    const feed = async (after: number) =>
      (await reader.get(`/v1/organizations/${organizationId}/feed?after=${after}`)).body;
    await database.pauseReplay();
    try {
      const { newest } = await feed(0);
      expect((await client.post(`/v1/findings/${id}/status`, { status: 2 })).status).toBe(200);
      const page = await feed(newest);
      expect([newest, page.newest, page.entries]).toEqual([expect.any(Number), newest + 1, [expect.anything()]]);
      expect(await read(reader)).toContain('"status":2');
      expect((await feed(page.next_after)).entries).toEqual([]);
    } finally {
      await database.resumeReplay();
    }
  });

  it('leaves out a replica that is more than two seconds behind', async () => {
    await eventually(async () => expect(await readsOfReplicaDuring(() => read(reader))).toBeGreaterThan(0), 20_000);
    await database.pauseReplay();
    try {
      const title = await rename();
      await new Promise((resolve) => setTimeout(resolve, 2_700));
      // The replica does not have it.
      expect(await read(reader)).toContain(title);
    } finally {
      await database.resumeReplay();
    }
    await eventually(async () => expect(await readsOfReplicaDuring(() => read())).toBeGreaterThan(0), 20_000);
  });

  it.each<[string, number, (owner: Client, member: Person, members: string) => Promise<Answer>]>([
    ['a lowered role', 403, (owner, { userId }, path) => owner.patch(`${path}/${userId}`, { role: 'viewer' })],
    ['a removed member', 403, (owner, { userId }, path) => owner.delete(`${path}/${userId}`)],
    [
      'a revoked key',
      401,
      async (_owner, { client: own }) =>
        own.delete(`/v1/api-keys/${(await own.get('/v1/api-keys/')).body.api_keys[0].id}`),
    ],
  ])('refuses %s at once in all processes, while the replica lacks the change', async (_what, status, change) => {
    const tenant = await make.organization();
    const { client: owner } = await tenant.as('owner');
    const member = await tenant.as('owner');
    const path = `/v1/organizations/${tenant.id}`;
    const clients = [api, other].map(({ url }) => new Client(() => url, member.credentials));
    const statuses = () => Promise.all(clients.map(async (one) => (await one.get(`${path}/settings/sign-in`)).status));
    await eventually(async () => expect(await readsOfReplicaDuring(() => read(reader))).toBeGreaterThan(0), 20_000);
    expect(await statuses()).toEqual([200, 200]);
    await database.pauseReplay();
    try {
      expect((await change(owner, member, `${path}/members`)).status).toBe(200);
      expect(await statuses()).toEqual([status, status]);
    } finally {
      await database.resumeReplay();
    }
  });

  it.each([
    ['a stream', 'text/*', '', 200],
    ['a long poll', 'application/json', '?wait=30&after=', 401],
  ])('%s that was open on the replica makes no process accept a revoked key', async (_what, accept, search, status) => {
    const tenant = await make.organization();
    const { client: own, credentials: key } = await tenant.as('owner');
    const feed = `/v1/organizations/${tenant.id}/feed`;
    const { newest } = (await own.get(`${feed}?limit=1000`)).body;
    const { api_keys: keys } = (await own.get('/v1/api-keys/')).body;
    await eventually(async () => expect(await readsOfReplicaDuring(() => read(reader))).toBeGreaterThan(0), 20_000);
    const stop = new AbortController();
    const headers = { authorization: basic(key), accept };
    const open = fetch(`${api.url}${feed}${search && `${search}${newest}`}`, { headers, signal: stop.signal });
    const ended = open.then((response) => response.text()).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await database.pauseReplay();
    try {
      expect((await own.delete(`/v1/api-keys/${keys[0].id}`)).status).toBe(200);
      // A stream lasts ten minutes, and a long poll of its whole time is answered with 200.
      await ended;
      expect((await open).status).toBe(status);
      expect((await own.get('/v1/me')).status).toBe(401);
    } finally {
      stop.abort();
      await database.resumeReplay();
    }
  });

  it('continues with the primary while the replica is unavailable, and returns to it', async () => {
    await database.postgres.stop('replica');
    for (let at = 0; at < 20; at++) expect(await read()).toContain(`${id}`);
    const title = await rename();
    expect(await read()).toContain(title);
    await database.startReplica();
    await eventually(async () => expect(await readsOfReplicaDuring(() => read())).toBeGreaterThan(0), 20_000);
    expect(await read()).toContain(title);
  });

  it('never misses the caller’s own write in pairs at random moments while the replica lags', async () => {
    const done = new AbortController();
    const lagging = (async () => {
      while (!done.signal.aborted) {
        await database.pauseReplay();
        await new Promise((resolve) => setTimeout(resolve, 30));
        await database.resumeReplay();
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    })();
    try {
      for (let at = 0; at < 150; at++) {
        const title = await rename();
        expect(await read()).toContain(title);
      }
    } finally {
      done.abort();
      await lagging;
    }
  });
});
