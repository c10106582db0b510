import { NameServer } from '../../src/engine/testing/name-server';
import { useApi, useWorker } from '../support/api';
import { eventually } from '../support/eventually';
import { Factories, type Person, uniqueDomain } from '../support/factories';

/** Addresses that must not be revealed to the owner of a domain that resolves to them. */
const PRIVATE = ['10.41.42.43', '192.168.77.78', '169.254.169.254', '127.9.8.7', '168.63.129.16'];

let names: NameServer;
beforeAll(async () => {
  names = await NameServer.start({});
});
afterAll(() => names.stop());

const api = useApi();
useWorker({
  get DNS_SERVERS() {
    return names.address;
  },
  ENGINE_PROBE_SPREAD_MS: '10',
});
const make = new Factories(api);

interface Fixture {
  readonly owner: Person;
  readonly host: string;
  readonly organizationId: number;
}

/** An organization with a verified domain that resolves to this address. */
async function createDomainResolvingTo(address: string): Promise<Fixture> {
  const tenant = await make.organization();
  const host = uniqueDomain();
  await make.domain(tenant.id, { value: host, verified: true });
  names.zone = { [host]: { A: [address] } };
  return { owner: await tenant.as('owner'), host, organizationId: tenant.id };
}

const isOver = /FINISHED|ERROR/;

it.each(PRIVATE)('a job, a retest and its evidence do not reveal that a name resolves to %s', async (address) => {
  const { owner, host, organizationId } = await createDomainResolvingTo(address);
  const { client } = owner;
  const url = `http://${host}/`;
  const { uuid } = (await client.post('/v1/jobs/launch', { url })).body;
  const { slug } = await make.event(organizationId, { status: 'running' });
  const { body: recorded } = await client.post(`/v1/events/${slug}/findings/`, {
    title: 'Browsers may guess',
    asset_value: host,
    severity: 'low',
    check: { id: 'missing-nosniff', location: url },
  });
  const retest = `/v1/findings/${recorded.id}/retest/`;
  const started = await client.post(retest);
  await eventually(async () => expect((await client.get(`/v1/jobs/${uuid}/status`)).body.status).toMatch(isOver));
  const answers = [await client.get(`/v1/jobs/${uuid}`), await client.get(`/v1/jobs/${uuid}/success`)];
  expect(answers[0]?.body.job.error).toContain('not a public address');
  expect(started.status).toBe(202);
  await eventually(async () => expect((await client.get(retest)).body.status).toMatch(/finished|error/));
  answers.push(await client.get(retest), await client.get(`/v1/findings/${recorded.id}/retest/evidence`));
  answers.push(await client.get(`/v1/findings/${recorded.id}/history`));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers[3]?.text).toContain('not a public address');
  for (const { text } of answers) expect(text).not.toContain(address);
});
