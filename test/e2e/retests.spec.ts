import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020';
import { verifyAttestation } from '../../clients/sdk/src/attestation';
import { asOperator } from '../../src/apps/cli/run-in-domain';
import { verifyEvidence } from '../../src/engine';
import type { Finding } from '../../src/modules/findings';
import { SigningKeysService } from '../../src/modules/evidence';
import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { VulnerableSite } from '../support/vulnerable-site';

const schema = JSON.parse(readFileSync('docs/retest-evidence.v1.schema.json', 'utf8')) as object;
const site = new VulnerableSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const api = useApi(engine);
useWorker(engine);
const make = new Factories(api);

beforeAll(() => site.start());
afterAll(() => site.stop());
beforeEach(() => {
  site.state = 'vulnerable';
});

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly finding: Finding;
  readonly path: string;
}

const check = { checkId: 'missing-nosniff', checkDefinition: { location: site.url } };

/** A finding with a check, on an asset that may be tested. */
async function createFinding(draft: object = check): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const { id } = await make.asset(tenant.id, { value: site.url, type: 'url' });
  const finding = await make.finding(tenant.id, { asset: { id, value: site.url, tier: null }, ...draft });
  return { tenant, client, finding, path: `/v1/findings/${finding.id}/retest` };
}

const createManualFinding = () => createFinding({});

/** Requests a retest in a state of the site and waits for its end. */
async function retest({ client, path }: Fixture, state: VulnerableSite['state'] = site.state) {
  site.state = state;
  expect((await client.post(path)).status).toBe(202);
  await eventually(async () => expect(['finished', 'error']).toContain((await client.get(path)).body.status));
  return (await client.get(path)).body;
}

const statusOf = async ({ client, finding }: Fixture): Promise<number> =>
  (await client.get(`/v1/findings/${finding.id}/`)).body.findings[0].status;

const setStatus = (finding: Finding, status: number) =>
  query('UPDATE findings SET status = $2 WHERE id = $1', [finding.id, status]);

/** Adds the finding to an event, as a job of the event does. */
const markSeenIn = ({ finding, tenant }: Fixture, eventId: number) =>
  query(
    `INSERT INTO event_findings (event_id, finding_id, organization_id, severity, priority)
     SELECT $1, id, organization_id, severity, priority FROM findings WHERE id = $2 AND organization_id = $3`,
    [eventId, finding.id, tenant.id],
  );

describe('a retest', () => {
  it('is accepted, runs, returns its result, and updates the finding', async () => {
    const fixture = await createFinding();
    const { client, path, finding } = fixture;
    const started = await client.post(`${path}/`);
    expect(started.status).toBe(202);
    expect(started.headers.get('location')).toBe(`${path}/`);
    expect(started.body).toEqual({
      uuid: expect.any(String),
      beacon_id: null,
      status: 'pending',
      result: null,
      reason: null,
      by_refusal: null,
      next_step: null,
      position: 1,
      created: expect.any(String),
      started: null,
      finished: null,
      second_look: null,
    });
    await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'));
    expect((await client.get(path)).body).toMatchObject({
      uuid: started.body.uuid,
      result: 'still_vulnerable',
      started: expect.any(String),
      finished: expect.any(String),
    });
    expect(await statusOf(fixture)).toBe(1);

    expect(await retest(fixture, 'fixed')).toMatchObject({ status: 'finished', result: 'fixed' });
    expect(await statusOf(fixture)).toBe(5);
    const { history } = (await client.get(`/v1/findings/${finding.id}/history`)).body;
    expect(history[0]).toMatchObject({ status: 5, previous_status: 1, actor: { type: 'system' } });
    expect(history[0].comment).toContain('nosniff');

    expect(await retest(fixture, 'vulnerable')).toMatchObject({ result: 'still_vulnerable' });
    expect(await statusOf(fixture)).toBe(1);
  });

  it('has the same reason on the finding’s route, on the event’s route and in its evidence', async () => {
    const fixture = await createFinding();
    const { client, tenant, finding, path } = fixture;
    const { id, slug } = await make.event(tenant.id, { status: 'running' });
    await markSeenIn(fixture, id);
    const pathInEvent = `/v1/events/${slug}/findings/${finding.id}/retest`;
    site.hold();
    await client.post(path);
    await eventually(async () => expect(site.heldRequests).toBe(1));
    for (const one of [path, pathInEvent])
      expect((await client.get(one)).body).toMatchObject({ status: 'in_progress', reason: null });
    site.release();
    await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'));
    const { reason } = (await client.get(path)).body;
    expect(reason).toContain('X-Content-Type-Options');
    for (const one of [`${path}/`, pathInEvent, `${path}/evidence`])
      expect((await client.get(one)).body).toMatchObject({ status: 'finished', reason });
  });

  it('of a finding that is merged while it runs keeps its result, and changes the status of neither', async () => {
    const fixture = await createFinding();
    const { client, tenant, finding, path } = fixture;
    await retest(fixture);
    const main = await make.finding(tenant.id);
    // A proof is merged into another one only.
    await query(`UPDATE findings SET verification = 'confirmed' WHERE id = $1`, [main.id]);
    site.state = 'fixed';
    site.hold();
    await client.post(path);
    await eventually(async () => expect(site.heldRequests).toBe(1));
    const merged = await client.post(`/v1/findings/${main.id}/merge`, { finding_ids: [finding.id] });
    site.release();
    expect(merged.status).toBe(200);
    await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'));
    expect((await client.get(path)).body.result).toBe('fixed');
    expect([await statusOf(fixture), await statusOf({ ...fixture, finding: main })]).toEqual([1, 1]);
  });

  it('sets a ready_for_retest finding back to accepted when it is still vulnerable', async () => {
    const fixture = await createFinding();
    await setStatus(fixture.finding, 4);
    expect(await retest(fixture)).toMatchObject({ result: 'still_vulnerable' });
    expect(await statusOf(fixture)).toBe(2);
  });

  it('is never fixed where the weakness was never observed', async () => {
    const fixture = await createFinding();
    expect(await retest(fixture, 'fixed')).toMatchObject({ status: 'finished', result: 'inconclusive' });
    expect(await statusOf(fixture)).toBe(1);
    expect((await fixture.client.get(`${fixture.path}/evidence`)).body.reason).toContain('no earlier detection');
  });

  it.each(['unavailable', 'redirected'] as const)('of a target that is %s is inconclusive', async (state) => {
    const fixture = await createFinding();
    await retest(fixture);
    expect(await retest(fixture, state)).toMatchObject({ status: 'finished', result: 'inconclusive' });
    expect(await statusOf(fixture)).toBe(1);
  });

  it('has evidence signed with a published key', async () => {
    const fixture = await createFinding();
    await retest(fixture);
    const { body } = await fixture.client.get(`${fixture.path}/evidence`);
    expect(body).toMatchObject({
      result: 'still_vulnerable',
      evidence: { subject: { finding: fixture.finding.id, retest: body.uuid }, check: { id: 'missing-nosniff' } },
    });
    expect(JSON.stringify(body.evidence.probes)).toContain(site.endpoint);
    const { keys } = (await fixture.client.get('/v1/evidence-keys')).body;
    const known = keys.map(({ id, public_key: pem }: { id: string; public_key: string }) => ({ id, pem }));
    expect(verifyEvidence(body, known)).toMatchObject({ authentic: true, key: body.signature.key });
    body.evidence.verdict.result = 'fixed';
    expect(verifyEvidence(body, known)).toMatchObject({ authentic: false });
    const [kept] = await query<{ private_key: Buffer }>('SELECT private_key FROM signing_keys');
    expect(kept?.private_key.includes(Buffer.from('302e020100300506032b6570', 'hex'))).toBe(false);
  });

  it('has evidence as an in-toto statement in a DSSE envelope, which the clients verify', async () => {
    const fixture = await createFinding();
    await retest(fixture);
    const path = `${fixture.path}/evidence`;
    const image = `sha256:${'0'.repeat(64)}`;
    const known = JSON.stringify((await fixture.client.get('/v1/evidence-keys')).body);
    const { body: own } = await fixture.client.get(path);
    const { status, headers, text } = await fixture.client.get(`${path}?format=dsse&image_digest=${image}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/vnd.dsse.envelope.v1+json']);
    expect(headers.get('content-disposition')).toContain(`retest-${own.uuid}.dsse.json`);
    expect(verifyAttestation(text, known)).toMatchObject({
      authentic: true,
      key: own.signature.key,
      evidence: own.evidence,
      subject: { name: site.url },
      statedByCaller: image,
    });
    const envelope = JSON.parse(text) as { payload: string };
    const statement: unknown = JSON.parse(Buffer.from(envelope.payload, 'base64').toString());
    const validate = new Ajv2020({ strict: false }).compile(schema);
    expect([validate(statement), validate.errors]).toEqual([true, null]);
    expect(verifyEvidence(JSON.parse(text), [])).toMatchObject({ reason: 'The document is not signed evidence.' });
    expect((await fixture.client.get(`${path}?format=json`)).body).toEqual(own);
  });

  it('refuses an envelope for claims and evidence that it cannot sign', async () => {
    const fixture = await createFinding();
    await retest(fixture);
    const path = `${fixture.path}/evidence`;
    const image = `sha256:${'0'.repeat(64)}`;
    for (const query of ['format=slsa', `image_digest=${image}`, 'format=dsse&image_digest=latest', 'formt=dsse'])
      expect([query, (await fixture.client.get(`${path}?${query}`)).status]).toEqual([query, 400]);
    await query(`UPDATE retests SET evidence = jsonb_set(evidence::jsonb, '{evidence,verdict,result}', '"fixed"')::json
      WHERE finding_id = ${fixture.finding.id}`);
    const changed = await fixture.client.get(`${path}?format=dsse`);
    expect([changed.status, changed.text]).toEqual([409, expect.stringContaining('was changed')]);
    const stranger = await (await make.organization()).as('admin');
    expect((await stranger.client.get(`${path}?format=dsse`)).status).toBe(404);
    const manual = await createManualFinding();
    await manual.client.post(manual.path);
    await manual.client.post(`${manual.path}/verdict`, { result: 'fixed' });
    const unsigned = await manual.client.get(`${manual.path}/evidence?format=dsse`);
    expect([unsigned.status, unsigned.text]).toEqual([409, expect.stringContaining('no signed evidence')]);
  });

  it('is signed with a new key after the old one is retired, which stays published', async () => {
    const fixture = await createFinding();
    await retest(fixture);
    const { signature: before } = (await fixture.client.get(`${fixture.path}/evidence`)).body;
    const retired = await asOperator(api.app, { operation: 'signing_key.retire', resourceType: 'signing_key' }, () =>
      api.app.get(SigningKeysService).retireCurrent(),
    );
    expect(retired).toBe(before.key);
    const refused = await fixture.client.get(`${fixture.path}/evidence?format=dsse`);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('has been retired')]);
    await retest(fixture);
    const { signature: after } = (await fixture.client.get(`${fixture.path}/evidence`)).body;
    expect(after.key).not.toBe(before.key);
    const { keys } = (await fixture.client.get('/v1/evidence-keys')).body;
    const served = new Map(keys.map(({ id, retired: when }: { id: string; retired: string | null }) => [id, when]));
    expect([served.get(before.key), served.get(after.key)]).toEqual([expect.any(String), null]);
  });

  it('is started once by twenty simultaneous requests', async () => {
    const { client, path } = await createManualFinding();
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.post(path)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array<number>(19).fill(409)]);
  });

  it.each([7, 8, 10])('is refused for a finding in status %i', async (status) => {
    const { client, path, finding } = await createFinding();
    await setStatus(finding, status);
    expect((await client.post(path)).status).toBe(409);
    expect((await client.get(path)).body.description).toContain('has not been retested');
  });

  it('has audit entries for its request, its begin and its end', async () => {
    const fixture = await createFinding();
    const { uuid } = await retest(fixture);
    await fixture.client.post('/v1/findings/2147483647/retest');
    const entries = await query<{ operation: string; status: string; organization_id: number }>(
      `SELECT operation, status, organization_id FROM audit_logs WHERE resource_type = 'retest' AND organization_id = $1 ORDER BY id`,
      [fixture.tenant.id],
    );
    expect(entries.map(({ operation, status }) => `${operation} ${status}`)).toEqual([
      'retest.start success',
      'retest.begin success',
      'retest.end success',
      'retest.start failure',
    ]);
    const log = await fixture.client.get(`/v1/audit-logs/?resource_type=retest&resource_id=${uuid}`);
    expect(log.body.total).toBe(3);
  });
});

describe('a manual retest', () => {
  it('of a finding without a check waits for a verdict and creates no work', async () => {
    const fixture = await createManualFinding();
    const { client, path, tenant } = fixture;
    const { uuid } = (await client.post(path)).body;
    expect(await query('SELECT 1 FROM work WHERE reference = $1', [uuid])).toEqual([]);
    expect((await client.get(`${path}/evidence`)).status).toBe(409);
    const { client: member } = await tenant.as('member');
    expect((await member.post(`${path}/verdict`, { result: 'fixed' })).status).toBe(403);
    expect((await client.post(`${path}/verdict`, { result: 'perhaps' })).status).toBe(400);
    const given = await client.post(`${path}/verdict`, { result: 'fixed', comment: 'Seen by two of us.' });
    const reason = 'Seen by two of us.';
    expect(given.body).toMatchObject({ uuid, status: 'finished', result: 'fixed', reason, started: null });
    expect(await statusOf(fixture)).toBe(5);
    expect((await client.get(`${path}/evidence`)).body).toMatchObject({
      reason: 'Seen by two of us.',
      evidence: null,
      signature: null,
    });
    expect((await client.post(`${path}/verdict`, { result: 'fixed' })).status).toBe(409);
    expect((await client.post(`${path}/cancel`)).status).toBe(409);
  });

  it('stores only the verdict where the status allows no transition', async () => {
    const fixture = await createManualFinding();
    await fixture.client.post(fixture.path);
    await setStatus(fixture.finding, 9);
    expect((await fixture.client.post(`${fixture.path}/verdict`, { result: 'fixed' })).body.result).toBe('fixed');
    expect(await statusOf(fixture)).toBe(9);
  });

  it('can be canceled, also twice, and started again', async () => {
    const { client, path } = await createManualFinding();
    expect((await client.post(`${path}/cancel`)).status).toBe(409);
    expect((await client.post(`${path}/verdict`, { result: 'fixed' })).status).toBe(409);
    await client.post(path);
    for (let time = 0; time < 2; time++) {
      const canceled = await client.post(`${path}/cancel`);
      expect(canceled.status).toBe(200);
      expect(canceled.body).toMatchObject({ status: 'canceled', result: null, reason: 'It was canceled.' });
    }
    expect((await client.post(path)).status).toBe(202);
  });

  it('accepts one of twenty simultaneous verdicts', async () => {
    const fixture = await createManualFinding();
    await fixture.client.post(fixture.path);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => fixture.client.post(`${fixture.path}/verdict`, { result: 'fixed' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(409)]);
  });
});

describe('a retest that is not permitted', () => {
  it('is refused with the remedy and sends no request', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const { id, value } = await make.asset(tenant.id);
    const asset = { id, value, tier: null };
    const at = async (location: string, on = asset): Promise<string> => {
      const finding = await make.finding(tenant.id, { ...check, checkDefinition: { location }, asset: on });
      const answer = await client.post(`/v1/findings/${finding.id}/retest`);
      expect(answer.status).toBe(409);
      return answer.body.description;
    };
    const before = site.requestCount;
    expect(await at(`https://${value}/`)).toContain('is not verified');
    expect(await at(site.url)).toContain('which the asset of the finding does not cover');
    expect(await at(`https://${value}/`, { ...asset, id: null as unknown as number })).toContain(
      'not among your assets',
    );
    const beacon = await make.beacon(tenant.id);
    const inside = await make.asset(tenant.id, { value: '10.20.0.1', type: 'ip', beaconId: beacon.id });
    const behind = { ...inside, beaconId: beacon.id, tier: null };
    expect(await at('http://10.20.0.1/', behind)).toContain('is not connected: start its agent');
    expect(site.requestCount).toBe(before);
  });
});

describe('a retest in an event', () => {
  it('applies the scope of the event in the path, and none on the plain route', async () => {
    const fixture = await createFinding();
    const { client, tenant, finding } = fixture;
    const [recordedIn, seenAgainIn, another] = [
      await make.event(tenant.id, { status: 'finished' }),
      await make.event(tenant.id, { status: 'running' }),
      await make.event(tenant.id, { status: 'running' }),
    ];
    await query('UPDATE findings SET event_id = $2 WHERE id = $1', [finding.id, recordedIn.id]);
    await markSeenIn(fixture, recordedIn.id);
    await markSeenIn(fixture, seenAgainIn.id);
    await client.post(`/v1/events/${seenAgainIn.slug}/scope/assets/`, { asset_id: finding.assetId });
    const pathIn = ({ slug }: { slug: string }): string => `/v1/events/${slug}/findings/${finding.id}/retest`;

    const refused = await client.post(pathIn(recordedIn));
    expect([refused.status, refused.body.description]).toEqual([409, expect.stringContaining('The event is finished')]);
    expect(await retest({ ...fixture, path: pathIn(seenAgainIn) })).toMatchObject({ result: 'still_vulnerable' });
    expect(await retest(fixture)).toMatchObject({ result: 'still_vulnerable' });
    for (const event of [recordedIn, seenAgainIn])
      expect((await client.get(pathIn(event))).body).toEqual((await client.get(fixture.path)).body);
    for (const answer of [await client.get(pathIn(another)), await client.post(pathIn(another))])
      expect([answer.status, answer.body.description]).toEqual([404, 'Finding not found.']);
  });

  it('requires that the event is running, includes the target and contains the finding', async () => {
    const fixture = await createFinding();
    const { client, tenant, finding } = fixture;
    const { id, slug } = await make.event(tenant.id, { status: 'running' });
    const path = `/v1/events/${slug}/findings/${finding.id}/retest`;
    const unknownFinding = await client.post(`/v1/events/${slug}/findings/2147483647/retest`);
    expect((await client.post(path)).text).toBe(unknownFinding.text);
    await markSeenIn(fixture, id);
    expect((await client.post(path)).body.description).toContain('not in the scope');
    const [asset] = await query<{ id: number }>('SELECT asset_id AS id FROM findings WHERE id = $1', [finding.id]);
    await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: asset?.id, in_scope: true });
    await query(`UPDATE events SET status = 'paused' WHERE id = $1`, [id]);
    expect((await client.post(path)).body.description).toContain('paused');
    await query(`UPDATE events SET status = 'running' WHERE id = $1`, [id]);
    expect((await client.get(path)).status).toBe(409);
    expect(await retest({ ...fixture, path })).toMatchObject({ result: 'still_vulnerable' });
    // An event in `retesting` allows retests, but no jobs.
    expect((await client.post(`/v1/events/${slug}/status`, { status: 'retesting' })).status).toBe(200);
    expect(await retest({ ...fixture, path }, 'fixed')).toMatchObject({ result: 'fixed' });
    const job = await client.post('/v1/jobs/launch', { url: site.url, event_slug: slug });
    expect([job.status, job.body.description]).toEqual([422, expect.stringContaining('The event is retesting')]);
  });
});
