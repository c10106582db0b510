import { verifyAttestation } from '../../clients/sdk/src';
import { TargetServer } from '../../src/engine/testing/target-server';
import { useApi, useWorker } from '../support/api';
import { Factories } from '../support/factories';
import { runJob } from '../support/jobs';

const plainText = (body: string) => ({ headers: { 'content-type': 'text/plain' }, body });
const WEAK = {
  pages: {
    '/.git/HEAD': plainText('ref: refs/heads/main\n'),
    '/.git/config': plainText('[core]\n\trepositoryformatversion = 0\n'),
  },
};
let target: TargetServer;
beforeAll(async () => {
  target = await TargetServer.start({});
});
afterAll(async () => {
  await target.stop();
});
const settings = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${target.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};
const api = useApi(settings);
useWorker(settings);
const make = new Factories(api);

async function tested(site: TargetServer['site']) {
  target.site = site;
  const tenant = await make.organization();
  const url = `http://127.0.0.1:${target.port}/`;
  await make.asset(tenant.id, { value: url, type: 'url' });
  const { client } = await tenant.as('member');
  const uuid = await runJob(client, url, { checks: ['exposed-git'] });
  const read = (query = '') => client.get(`/v1/jobs/${uuid}/evidence${query}`);
  return { tenant, client, uuid, url, read };
}

it('signs what each test of a job showed, so that the client verifies it offline', async () => {
  const { read, client, url } = await tested(WEAK);
  const answer = await read(`?image_digest=sha256:${'a'.repeat(64)}`);
  expect(answer.headers.get('content-type')).toContain('application/vnd.dsse.envelope.v1+json');
  const keys = (await client.get('/v1/evidence-keys')).text;
  const verified = verifyAttestation(answer.text, keys);
  expect(verified).toMatchObject({
    authentic: true,
    type: 'https://in-toto.io/attestation/test-result/v0.1',
    subject: { uri: url },
    statedByCaller: `sha256:${'a'.repeat(64)}`,
    evidence: { result: 'FAILED', failedTests: [expect.stringContaining('exposed-git')] },
  });
});

it('signs a gate only if it has passed, with what it was asked', async () => {
  const failed = await tested(WEAK);
  const refused = await failed.read('?statement=gate');
  expect(refused).toMatchObject({ status: 409, body: { description: expect.stringContaining('has not passed') } });

  const passed = await tested({});
  const answer = await passed.read('?statement=gate&severity=low');
  const keys = (await passed.client.get('/v1/evidence-keys')).text;
  expect(verifyAttestation(answer.text, keys)).toMatchObject({
    authentic: true,
    type: 'https://in-toto.io/attestation/svr/v0.2',
    evidence: {
      verifier: { policies: [{ uri: 'urn:assay:gate:v1?severity=low' }] },
      properties: ['ASSAY_GATE_PASSED'],
    },
  });
  // Both statements of a job are about the same result.
  const digestOf = (text: string) =>
    (verifyAttestation(text, keys) as { subject?: { sha256: string } }).subject?.sha256;
  expect(digestOf(answer.text)).toBe(digestOf((await passed.read()).text));
});

it('signs nothing for an unfinished job, another tenant and parameters of the gate without it', async () => {
  const { read, uuid, client, url } = await tested({});
  expect((await read('?severity=low')).status).toBe(400);
  expect((await read('?image_digest=latest')).status).toBe(400);
  const stranger = await (await make.organization()).as('owner');
  expect((await stranger.client.get(`/v1/jobs/${uuid}/evidence`)).status).toBe(404);
  const launched = await client.post('/v1/jobs/launch', { url });
  await client.post(`/v1/jobs/${launched.body.uuid}/cancel`);
  expect((await client.get(`/v1/jobs/${launched.body.uuid}/evidence`)).status).toBe(409);
});
