import { setTimeout as delay } from 'node:timers/promises';
import { type RunningApi, startApi } from '../support/api';
import { useContract } from '../support/contract';
import { Factories, unique } from '../support/factories';
import { HotStandby } from '../support/hot-standby';
import { describeWithInstalledPostgres } from '../support/installed-postgres';

const PAIRS = 100_000;
const CLIENTS = 8;

describeWithInstalledPostgres('reads from replicas', () => {
  const database = new HotStandby();
  let api: RunningApi;

  beforeAll(async () => {
    await database.start();
    api = await startApi({ DATABASE_URL: database.primaryUrl, DATABASE_REPLICA_URLS: database.replicaUrl });
    useContract(api.app);
  });
  afterAll(async () => {
    await api?.app.close();
    await database.postgres.remove();
  });

  it(`show a caller its own write in ${PAIRS} pairs while the replica lags, stalls and restarts`, async () => {
    const make = new Factories(api);
    const { id: organizationId, as } = await make.organization();
    let left = PAIRS;
    const done = new AbortController();
    const pairs = async (): Promise<void> => {
      const { client } = await as('admin');
      const { id } = await make.finding(organizationId);
      while (left > 0) {
        left -= 1;
        const title = unique('Renamed');
        expect((await client.patch(`/v1/findings/${id}/`, { title })).status).toBe(200);
        const { status, text } = await client.get(`/v1/findings/${id}/`);
        expect(status).toBe(200);
        if (!text.includes(title)) throw new Error(`pair ${PAIRS - left} does not show ${title}`);
      }
    };
    const disturbances = async (): Promise<void> => {
      for (let turn = 0; !done.signal.aborted; turn += 1) {
        if (turn % 20 === 19) {
          await database.postgres.stop('replica');
          await delay(500);
          await database.startReplica();
        }
        await database.pauseReplay();
        await delay(Math.random() * (turn % 10 === 9 ? 3_000 : 100));
        await database.resumeReplay();
        await delay(Math.random() * 300);
      }
    };
    const disturbing = disturbances();
    await Promise.all(Array.from({ length: CLIENTS }, pairs)).finally(() => done.abort());
    await disturbing;
  }, 3_600_000);
});
