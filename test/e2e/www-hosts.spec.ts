import { type Site, TargetServer } from '../../src/engine/testing/target-server';
import { useApi, useWorker } from '../support/api';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';

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

/** A finding about a file at the first name that is fixed there, and its retest. */
async function retestOfFixed(
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
  const path = `/v1/events/${slug}/findings/${id}/retest`;
  expect((await client.post(path)).status).toBe(202);
  await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'));
  const { body: retest } = await client.get(path);
  const { evidence } = (await client.get(`/v1/findings/${id}/retest/evidence`)).body;
  return { retest, evidence, status: (await read()).status };
}

describe('a retest of a file that is gone at one of both names of a site', () => {
  it.each([
    [APEX, WWW],
    [WWW, APEX],
  ])('decides nothing while the other name serves the file: %s beside %s', async (tested, other) => {
    const { retest, evidence, status } = await retestOfFixed([tested, other]);
    const reason = `the weakness was not detected, but ${urlOf(other)}.env still serves the file: it sets DB_PASSWORD`;
    expect(retest).toMatchObject({
      result: 'inconclusive',
      reason,
      next_step: expect.stringMatching(/^Remove the file there/),
    });
    expect(status).toBe(1);
    // The evidence has the request to the other name, and no response of it shows the weakness of this one.
    const { kind, observation } = evidence.probes.at(-1);
    expect({ kind, state: observation.state }).toEqual({ kind: 'variant', state: 'inconclusive' });
    expect(evidence.verdict.reason).toBe(reason);
  });

  it('is fixed where the other name does not serve it, and asks it once', async () => {
    expect(await retestOfFixed([APEX, WWW], { other: {} })).toMatchObject({ retest: { result: 'fixed' }, status: 5 });
    expect(requests.filter((one) => one.startsWith(WWW))).toEqual([`${WWW}/.env`]);
  });

  it.each([
    ['is no asset', [APEX], {}],
    ['is out of the scope of the event', [APEX, WWW], { outOfScope: WWW }],
  ])('sends nothing to the other name if that %s', async (_why, names, scope) => {
    expect(await retestOfFixed(names, scope)).toMatchObject({ retest: { result: 'fixed' }, status: 5 });
    expect(requests.filter((one) => one.startsWith(WWW))).toEqual([]);
  });
});
