import { type Site, TargetServer } from '../../src/engine/testing/target-server';
import { useApi, useWorker } from '../support/api';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { runJob } from '../support/jobs';

const ENV = { pages: { '/.env': 'DB_HOST=localhost\nDB_PASSWORD=hunter2-and-more\n' } };
const APEX = 'shop.internal';
const WWW = `www.${APEX}`;

let target: TargetServer;
/** By the name that a request is sent to. */
let sites: Readonly<Record<string, Site>> = {};
let requests: string[] = [];
beforeAll(async () => {
  target = await TargetServer.start({});
  target.route = ({ headers: { host = '' }, url }) => {
    const [name = ''] = host.split(':');
    requests.push(`${name}${url?.split('?')[0]}`);
    return sites[name] ?? null;
  };
});
afterAll(() => target.stop());

const settings = {
  get EGRESS_ALLOW() {
    return [APEX, WWW].map((name) => `${name}=127.0.0.1:${target.port}`).join(',');
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};
const api = useApi(settings);
useWorker(settings);
const make = new Factories(api);

const urlOf = (name: string): string => `http://${name}:${target.port}/`;

type Way = 'retest' | 'job';

interface Evidence {
  readonly probes: readonly object[];
  readonly verdict: { readonly reason: string };
}

/** A finding about a file at the first name that is fixed there, and what a retest or a job says of it. */
async function testOfFixed(
  way: Way,
  names: readonly string[],
  { outOfScope = '', other = ENV }: { outOfScope?: string; other?: Site } = {},
) {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const { slug } = await make.event(tenant.id, { status: 'running' });
  const ids: number[] = [];
  for (const name of names) {
    const { id } = await make.asset(tenant.id, { value: urlOf(name), type: 'url' });
    await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: id, in_scope: name !== outOfScope });
    ids.push(id);
  }
  const [tested = ''] = names;
  sites = { [APEX]: ENV, [WWW]: ENV };
  const check = { id: 'exposed-env', location: urlOf(tested) };
  const draft = { title: 'A file', severity: 'high', asset_id: ids[0], check };
  const { id } = (await client.post(`/v1/events/${slug}/findings/`, draft)).body;
  const read = async () => (await client.get(`/v1/findings/${id}/`)).body.findings[0];
  await eventually(async () => expect(await read()).toMatchObject({ verification: { result: 'confirmed' } }));
  sites = { [APEX]: other, [WWW]: other, [tested]: {} };
  requests = [];
  const outcomes = {
    retest: async () => {
      const path = `/v1/events/${slug}/findings/${id}/retest`;
      expect((await client.post(path)).status).toBe(202);
      await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'));
      const { body } = await client.get(path);
      const { evidence } = (await client.get(`/v1/findings/${id}/retest/evidence`)).body;
      return { isFixed: body.result === 'fixed', said: `${body.reason} ${body.next_step}`, evidence };
    },
    job: async () => {
      const uuid = await runJob(client, urlOf(tested), { checks: ['exposed-env'], event_slug: slug });
      const { success, description } = (await client.get(`/v1/jobs/${uuid}/success`)).body;
      return { isFixed: success, said: description };
    },
  };
  const outcome: { isFixed: boolean; said: string; evidence?: Evidence } = await outcomes[way]();
  return { ...outcome, status: (await read()).status };
}

describe.each<Way>(['retest', 'job'])('a %s of a file that is gone at one of both names of a site', (way) => {
  it.each([
    [APEX, WWW],
    [WWW, APEX],
  ])('decides nothing while the other name serves the file: %s beside %s', async (tested, other) => {
    const { isFixed, said, evidence, status } = await testOfFixed(way, [tested, other]);
    const reason = `the weakness was not detected, but ${urlOf(other)}.env still serves the file: it sets DB_PASSWORD`;
    expect([isFixed, status]).toEqual([false, 1]);
    expect(said).toContain(reason);
    expect(said).toContain('Remove the file there too, and ');
    if (evidence === undefined) return;
    // The evidence has the request to the other name, and no response of it shows the weakness of this one.
    expect(evidence.probes.at(-1)).toMatchObject({ kind: 'variant', observation: { state: 'inconclusive' } });
    expect(evidence.verdict.reason).toBe(reason);
  });

  it('is fixed where the other name does not serve it, and asks it once', async () => {
    expect(await testOfFixed(way, [APEX, WWW], { other: {} })).toMatchObject({ isFixed: true, status: 5 });
    expect(requests.filter((one) => one.startsWith(WWW))).toEqual([`${WWW}/.env`]);
  });

  it.each([
    ['is no asset', [APEX], {}],
    ['is out of the scope of the event', [APEX, WWW], { outOfScope: WWW }],
  ])('sends nothing to the other name if that %s', async (_why, names, scope) => {
    expect(await testOfFixed(way, names, scope)).toMatchObject({ isFixed: true, status: 5 });
    expect(requests.filter((one) => one.startsWith(WWW))).toEqual([]);
  });
});
