import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, withServers } from '../bench';
import { generateLoad } from '../load-generator';
import { forConnections, requestOfEach } from '../requests';
import type { Figure } from '../table';

const ORGANIZATIONS = 2_000;
const FINDINGS = 100_000;
/** PostgreSQL publishes the statistics of a connection when it has been idle for a second. */
const STATISTICS_MS = 2_000;

/** Reads with the keys of many organizations, each of which sends few requests. */
export async function tenants({ dataSet, database, options, log }: Bench): Promise<Figure[]> {
  const isLargeEnough = dataSet.shape.organizations >= ORGANIZATIONS;
  const all = isLargeEnough ? dataSet : await database.dataSet(FINDINGS, log, ORGANIZATIONS);
  const lookUps = async (): Promise<number> => {
    await delay(STATISTICS_MS);
    return database.selectNumber(
      all,
      `SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'uq_api_keys_access_key'`,
    );
  };
  return withServers(['api'], { DATABASE_URL: all.appUrl }, async (api) => {
    const each = await requestOfEach(all);
    // The first request of a key looks it up.
    for (const { path, headers } of each) await (await fetch(api.url + path, { headers })).text();
    const load = {
      url: api.url,
      requests: forConnections(options.connections, (random) => random.pick(each)),
      seconds: 2 * options.seconds,
      expectedStatus: 200,
    };
    const [before, cpu] = [await lookUps(), api.cpuSeconds];
    const { responses, perSecond, p99 } = await generateLoad(load);
    const figure = (what: string, value: number, unit: string, goal?: Figure['goal']): Figure => ({
      measure: `${all.shape.organizations.toLocaleString('en')} organizations`,
      what,
      value,
      unit,
      ...(goal && { goal }),
    });
    const used = ((api.cpuSeconds - cpu) * 1_000) / responses;
    return [
      figure('look-ups of keys for each request', ((await lookUps()) - before) / responses, '', { atMost: 0.1 }),
      figure('one finding, requests per second', perSecond, '/s'),
      figure('one finding, p99', p99, 'ms'),
      figure('one finding, CPU time per request', used, 'ms'),
    ];
  });
}
