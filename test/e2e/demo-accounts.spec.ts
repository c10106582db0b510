import type { AddressInfo } from 'node:net';
import { DemoTarget } from '../../src/apps/local/demo-target/demo-target';
import { USERS } from '../../src/apps/local/demo-target/members';
import { useApi, useWorker } from '../support/api';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { runJob } from '../support/jobs';

const target = new DemoTarget();
let listening: AddressInfo;
beforeAll(async () => {
  listening = await target.listen(0);
});
afterAll(() => target.close());

const endpoint = (): string => `127.0.0.1:${listening.port}`;
const pace = { ENGINE_REQUESTS_PER_SECOND: '1000', ENGINE_PROBE_SPREAD_MS: '10' };

const api = useApi({
  ...pace,
  get EGRESS_ALLOW() {
    return endpoint();
  },
});
const make = new Factories(api);

let tenant: Tenant;
beforeAll(async () => {
  tenant = await make.organization();
});

/** The demo target serves no proof file: an allowance of its organization takes the place of one, as in `npm start`. */
useWorker({
  ...pace,
  get EGRESS_ALLOW() {
    return `${endpoint()},${tenant.id}@${endpoint()}`;
  },
});

describe('the two accounts of the demo target', () => {
  it('are recognised, and show that one is given what belongs to the other, until that is fixed', async () => {
    const { client: admin } = await tenant.as('admin');
    const origin = `http://127.0.0.1:${listening.port}`;
    const { id: assetId } = await make.asset(tenant.id, { value: `${origin}/`, type: 'url' });
    await admin.patch(`/v1/assets/${assetId}`, { active_tests: 'read_only' });
    const ids: number[] = [];
    for (const [user, { password, mail }] of Object.entries(USERS)) {
      const created = await admin.post(`/v1/assets/${assetId}/accounts/`, {
        name: `customer ${user}`,
        role: 'customer',
        origins: [origin],
        secrets: { password },
        sign_in: { kind: 'form', page: `${origin}/login`, user_name: user },
        own_values: [mail],
      });
      const account = `/v1/assets/${assetId}/accounts/${created.body.id}`;
      expect((await admin.post(`${account}/sign-in`)).status).toBe(202);
      let proof: object | undefined;
      await eventually(async () => {
        proof = (await admin.get(account)).body.last_sign_in.report?.proposals[0]?.proof;
        expect(proof).toMatchObject({ only: expect.any(String) });
      }, 30_000);
      const relations = ids.map((other) => ({ account: other, is: 'equal', shared: [] }));
      expect((await admin.patch(account, { proof, signed_in_tests: true, relations })).status).toBe(200);
      ids.push(created.body.id);
    }
    const order = { depth: 'active', checks: ['object-access'], accounts: ids };
    const uuid = await runJob(admin, `${origin}/`, order);
    const { job } = (await admin.get(`/v1/jobs/${uuid}`)).body;
    expect(job.lanes).toMatchObject([{ proved: true }, { proved: true }, { proved: true }]);
    expect(job.findings).toMatchObject([
      { title: 'Broken object level authorization (IDOR) in segment 2 of the path' },
    ]);
    await fetch(`${origin}/-/fix/object-access`, { method: 'POST' });
    const [{ id }] = (await admin.get(`/v1/organizations/${tenant.id}/findings/?q=IDOR`)).body.findings;
    expect((await admin.post(`/v1/findings/${id}/retest`)).status).toBe(202);
    await eventually(async () => {
      const { result, reason } = (await admin.get(`/v1/findings/${id}/retest`)).body;
      expect([result, reason]).toEqual(['fixed', expect.stringMatching(/customer/)]);
    }, 60_000);
  });
});
