import { FindingStatusWriter } from '../../src/modules/findings/changes/finding-status-writer';
import { FindingMergesService, FindingsService } from '../../src/modules/findings';
import { UnitOfWork } from '../../src/platform/audit/unit-of-work';
import { system } from '../../src/platform/api/caller';
import { everything } from '../../src/platform/api/scope';
import { useApi, useWorker } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Person, type Tenant, uniqueDomain } from '../support/factories';
import { imported } from '../support/imports';
import { signedInAs, usePortal } from '../support/portal';
import { refusedFindings } from '../support/refused-findings';
import {
  approvalsOf,
  confirmOnly,
  pendingOf,
  provedAdmin,
  twoAdmins,
  type TwoAdmins,
} from '../support/second-approval';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const api = useApi(engine);
const portal = usePortal(api);
useWorker(engine);
const make = new Factories(api);
const { refused, retest } = refusedFindings(make, site);

beforeAll(() => site.start());
afterAll(() => site.stop());
beforeEach(() => {
  site.state = 'exposed';
  site.isRedesigned = false;
});

const inADay = (): string => new Date(Date.now() + 86_400_000).toISOString();
const scope = everything('a test');

const has = async (sql: string, ...values: unknown[]): Promise<boolean> => (await query(sql, values)).length > 0;
const hasStatus = (id: number, status: number) =>
  has('SELECT 1 FROM findings WHERE id = $1 AND status = $2', id, status);

interface Decision {
  readonly send: (client: Client) => Promise<Answer>;
  readonly isMade: () => Promise<boolean>;
}

type Prepare = (tenant: Tenant, admin: Person) => Promise<Decision>;

const toStatus =
  (status: number): Prepare =>
  async (tenant) => {
    const { id } = await make.finding(tenant.id);
    return {
      send: (client) => client.post(`/v1/findings/${id}/status`, { status, comment: 'We have decided.' }),
      isMade: () => hasStatus(id, status),
    };
  };

const acceptance = { reason: 'A staging site.', until: inADay() };

const acceptOnStaging = ({ id }: Tenant) =>
  query(
    `INSERT INTO accepted_checks_on_many (organization_id, check_id, label, reason, covers, until, critical_findings, accepted_by, accepted_at)
     VALUES ($1, 'missing-hsts', 'staging', 'r', 'findings', now() + interval '1 day', '{}', 'A', now())`,
    [id],
  );

/** Every kind of decision, by the operation of the API that makes it. */
const DECISIONS: Readonly<Record<string, Prepare>> = {
  'status 6': async (tenant) => {
    const { id } = await make.finding(tenant.id);
    const body = {
      status: 6,
      comment: 'Known.',
      until: inADay(),
      justification: 'vulnerable_code_not_in_execute_path',
    };
    return {
      send: (client) => client.post(`/v1/findings/${id}/status`, body),
      isMade: () => has('SELECT 1 FROM findings WHERE id = $1 AND status = 6 AND accepted_until IS NOT NULL', id),
    };
  },
  'status 7': toStatus(7),
  'status 8': toStatus(8),
  'status 9': toStatus(9),
  'status 10': toStatus(10),
  'a merge': async (tenant) => {
    const [main, part] = [await make.finding(tenant.id), await make.finding(tenant.id)];
    return {
      send: (client) => client.post(`/v1/findings/${main.id}/merge`, { finding_ids: [part.id] }),
      isMade: () => has('SELECT 1 FROM findings WHERE id = $1 AND merged_into = $2', part.id, main.id),
    };
  },
  'a verdict by hand': async (tenant, { client: own }) => {
    const { id } = await make.finding(tenant.id);
    expect((await own.post(`/v1/findings/${id}/retest`)).status).toBe(202);
    return {
      send: (client) => client.post(`/v1/findings/${id}/retest/verdict`, { result: 'fixed', comment: 'Looked.' }),
      isMade: () => hasStatus(id, 5),
    };
  },
  'a confirmed page': async (tenant, admin) => {
    const { id, path } = await refused(tenant);
    Object.assign(site, { isRedesigned: true, state: 'removed' });
    const { uuid } = await retest({ client: admin.client, id });
    return {
      send: (client) => client.put(path, { retest: uuid }),
      isMade: () =>
        has(`SELECT 1 FROM finding_baselines WHERE finding_id = $1 AND baseline ->> 'confirmed' IS NOT NULL`, id),
    };
  },
  'a confirmed refusal': async (tenant, admin) => {
    const { id, path } = await refused(tenant);
    site.state = 'refused';
    const { uuid } = await retest({ client: admin.client, id });
    return {
      send: (client) => client.put(`${path}/refusal`, { retest: uuid, reason: 'The server denies it.' }),
      isMade: () =>
        has(
          `SELECT 1 FROM finding_baselines WHERE finding_id = $1 AND baseline ->> 'confirmedRefusal' IS NOT NULL`,
          id,
        ),
    };
  },
  'an accepted check': async (tenant) => {
    const { id } = await make.asset(tenant.id);
    return {
      send: (client) => client.put(`/v1/assets/${id}/accepted-checks/missing-hsts`, acceptance),
      isMade: () => has('SELECT 1 FROM accepted_checks WHERE asset_id = $1', id),
    };
  },
  'accepted incompleteness': async (tenant) => {
    const { id } = await make.asset(tenant.id);
    const body = { ...acceptance, covers: 'incompleteness' };
    return {
      send: (client) => client.put(`/v1/assets/${id}/accepted-checks/missing-hsts`, body),
      isMade: () => has('SELECT 1 FROM accepted_checks WHERE asset_id = $1 AND incomplete_until IS NOT NULL', id),
    };
  },
  'a label for which a check is accepted': async (tenant) => {
    const { id } = await make.asset(tenant.id);
    await acceptOnStaging(tenant);
    return {
      send: (client) => client.patch(`/v1/assets/${id}`, { labels: ['staging'] }),
      isMade: () => has(`SELECT 1 FROM assets WHERE id = $1 AND 'staging' = ANY(labels)`, id),
    };
  },
  ...Object.fromEntries(
    [undefined, 'staging'].flatMap((label) =>
      ['findings', 'incompleteness'].map((covers): [string, Prepare] => [
        `${covers} of a check that is accepted on ${label ?? 'all assets'}`,
        async ({ id }) => ({
          send: (client) =>
            client.put(`/v1/organizations/${id}/accepted-checks/missing-hsts`, { ...acceptance, covers, label }),
          isMade: () =>
            has('SELECT 1 FROM accepted_checks_on_many WHERE organization_id = $1 AND covers = $2', id, covers),
        }),
      ]),
    ),
  ),
};

describe.each(Object.entries(DECISIONS))('%s', (_name, prepare) => {
  it('is made at once where no second approval is required', async () => {
    const tenant = await make.organization();
    const admin = await provedAdmin(tenant);
    const { send, isMade } = await prepare(tenant, admin);
    expect((await send(admin.client)).status).toBe(200);
    expect(await isMade()).toBe(true);
  });

  it('is made only when a second admin has confirmed it', async () => {
    const fixture = await twoAdmins(make);
    const { send, isMade } = await prepare(fixture.tenant, fixture.first);
    expect(await isMade()).toBe(false);
    const answer = await send(fixture.first.client);
    expect([answer.status, answer.body.description]).toEqual([409, expect.stringContaining('second approval')]);
    expect(await isMade()).toBe(false);
    expect((await confirmOnly(fixture)).changes).toMatchObject([{ error: null }]);
    expect(await isMade()).toBe(true);
  });
});

it('that refusals count as fixed needs a second approval, and that they no longer do needs none', async () => {
  const fixture = await twoAdmins(make);
  const owner = await provedAdmin(fixture.tenant, 'owner');
  const path = `/v1/organizations/${fixture.tenant.id}/settings/refusals`;
  const get = async () => (await owner.client.get(path)).body.refusals_count_as_fixed;
  expect((await owner.client.put(path, { refusals_count_as_fixed: true })).status).toBe(409);
  expect(await get()).toBe(false);
  await confirmOnly(fixture);
  expect(await get()).toBe(true);
  expect((await owner.client.put(path, { refusals_count_as_fixed: false })).status).toBe(200);
});

it('what makes a finding or a check count again needs no approval', async () => {
  const { tenant, first } = await twoAdmins(make);
  const { id } = await make.finding(tenant.id);
  const asset = await make.asset(tenant.id);
  await query('UPDATE findings SET status = 7, previous_status = 1 WHERE id = $1', [id]);
  await query(
    `INSERT INTO accepted_checks (asset_id, check_id, organization_id, reason, until, accepted_by, accepted_at)
     VALUES ($1, 'missing-hsts', $2, 'r', now() + interval '1 day', 'A', now())`,
    [asset.id, tenant.id],
  );
  expect((await first.client.post(`/v1/findings/${id}/status`, { status: 1 })).status).toBe(200);
  expect((await first.client.delete(`/v1/assets/${asset.id}/accepted-checks/missing-hsts`)).status).toBe(200);
});

describe('an accepted check of a label', () => {
  it('is outdated when a further asset has got the label', async () => {
    const fixture = await twoAdmins(make);
    const { tenant, first } = fixture;
    const { id } = await make.asset(tenant.id);
    const path = `/v1/organizations/${tenant.id}/accepted-checks/missing-hsts`;
    expect((await first.client.put(path, { ...acceptance, label: 'staging' })).status).toBe(409);
    expect((await first.client.patch(`/v1/assets/${id}`, { labels: ['staging'] })).status).toBe(200);
    expect((await confirmOnly(fixture)).changes).toMatchObject([{ error: expect.stringContaining('changed since') }]);
    expect(await has('SELECT 1 FROM accepted_checks_on_many WHERE organization_id = $1', tenant.id)).toBe(false);
  });

  it('does not apply to a new asset that one admin adds with the label', async () => {
    const { tenant, first } = await twoAdmins(make);
    const add = (labels: string[]) =>
      first.client.post('/v1/assets/', {
        organization_id: tenant.id,
        asset_value: uniqueDomain(),
        asset_type: 'domain',
        labels,
      });
    expect((await add(['staging'])).status).toBe(201);
    await acceptOnStaging(tenant);
    const refused = await add(['staging']);
    expect([refused.status, refused.body.description]).toEqual([409, expect.stringContaining('without it')]);
    expect((await add(['other'])).status).toBe(201);
  });
});

async function findings({ id }: Tenant, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let one = 0; one < count; one++) ids.push((await make.finding(id)).id);
  return ids;
}

describe('a bulk change into a status that dismisses', () => {
  it('becomes one proposal, of which each finding that has not changed since is dismissed', async () => {
    const fixture = await twoAdmins(make);
    const ids = await findings(fixture.tenant, 3);
    const body = { finding_ids: ids, action: { status: 7, comment: 'A test page.' } };
    const answer = await fixture.first.client.post('/v1/findings/bulk', body);
    expect(answer.body).toMatchObject({ changed: 0, refused: 3 });
    expect(answer.body.results).toMatchObject(ids.map((finding_id) => ({ finding_id, status: 409 })));
    await query('UPDATE findings SET severity = 4 WHERE id = $1', [ids[1]]);
    const { changes } = await confirmOnly(fixture);
    expect(changes.map(({ error }: { error: string | null }) => error)).toEqual([
      null,
      expect.stringContaining('has changed since'),
      null,
    ]);
    for (const [at, id] of ids.entries()) expect(await hasStatus(id, at === 1 ? 1 : 7)).toBe(true);
  });

  it('by the portal becomes a proposal too', async () => {
    const fixture = await twoAdmins(make);
    const [id = 0] = await findings(fixture.tenant, 1);
    const browser = await signedInAs(api, portal, fixture.first);
    const page = `/o/${fixture.tenant.id}/findings`;
    const fields = { finding: String(id), action: 'status', status: '7', comment: 'A test page.' };
    await browser.submit(page, `${page}/bulk`, fields);
    expect(await hasStatus(id, 1)).toBe(true);
    await confirmOnly(fixture);
    expect(await hasStatus(id, 7)).toBe(true);
  });

  it('of a whole selection becomes a proposal when the worker runs it', async () => {
    const fixture = await twoAdmins(make);
    const ids = await findings(fixture.tenant, 2);
    const path = `/v1/organizations/${fixture.tenant.id}/findings/selections`;
    const { client } = fixture.first;
    const selection = (await client.post(`${path}?status=1`, { action: { status: 9, comment: 'Known.' } })).body;
    expect((await client.post(`${path}/${selection.id}/run`)).status).toBe(202);
    await eventually(async () => expect(await pendingOf(fixture)).toHaveLength(1));
    for (const id of ids) expect(await hasStatus(id, 1)).toBe(true);
    expect((await confirmOnly(fixture)).changes).toMatchObject([{ error: null }, { error: null }]);
    for (const id of ids) expect(await hasStatus(id, 9)).toBe(true);
  });

  it('leaves a change that dismisses nothing as it is', async () => {
    const fixture = await twoAdmins(make);
    const ids = await findings(fixture.tenant, 2);
    const answer = await fixture.first.client.post('/v1/findings/bulk', { finding_ids: ids, action: { status: 3 } });
    expect(answer.body).toMatchObject({ changed: 2, refused: 0 });
    expect(await pendingOf(fixture)).toEqual([]);
  });
});

describe('another route into a status that dismisses', () => {
  it('as an integrator only proposes it, with each of its keys', async () => {
    const integrator = await make.integrator();
    const fixture: TwoAdmins = await twoAdmins(make, { integratorId: integrator.integratorId });
    const { send, isMade } = await toStatus(10)(fixture.tenant, integrator);
    for (const { client } of [integrator, await make.person(integrator.userId)])
      expect((await send(client)).status).toBe(409);
    const [{ id }] = await pendingOf(fixture);
    expect((await integrator.client.post(approvalsOf(fixture.tenant, `${id}/confirm`))).status).toBe(403);
    await confirmOnly(fixture);
    expect(await isMade()).toBe(true);
  });

  it.each([6, 7, 8, 9, 10] as const)('as the service itself is refused: status %s', async (status) => {
    const { tenant } = await twoAdmins(make);
    const { id } = await make.finding(tenant.id);
    const entry = { operation: 'finding.status_update', resourceType: 'finding', organizationId: tenant.id } as const;
    const change = api.app.get(UnitOfWork, { strict: false }).run({ actor: system, ...entry }, scope, async () => {
      const finding = await api.app.get(FindingsService, { strict: false }).lock(scope, id);
      await api.app.get(FindingStatusWriter, { strict: false }).apply(system, finding, status);
    });
    await expect(change).rejects.toThrow('which only people can propose');
    expect(await hasStatus(id, 1)).toBe(true);
  });

  it('as a file of a scanner dismisses nothing', async () => {
    const { tenant, first } = await twoAdmins(make);
    const { value: host } = await make.asset(tenant.id);
    const row = (title: string, more: object) => ({
      title,
      severity: 'High',
      endpoints: [`https://${host}/`],
      ...more,
    });
    const findingsOfFile = [
      row('Open', {}),
      row('Wrong', { false_p: true }),
      row('Accepted', { risk_accepted: true }),
      row('Duplicate', { duplicate: true }),
      row('Elsewhere', { out_of_scope: true }),
    ];
    const file = new Blob([JSON.stringify({ findings: findingsOfFile })], { type: 'application/octet-stream' });
    await imported({ client: first.client, path: `/v1/organizations/${tenant.id}/imports` }, file);
    expect(await has('SELECT 1 FROM findings WHERE organization_id = $1 AND status >= 6', tenant.id)).toBe(false);
  });
});

it('a retest still resolves a finding without an approval', async () => {
  const fixture = await twoAdmins(make);
  const { client, id } = await refused(fixture.tenant);
  site.state = 'removed';
  expect(await retest({ client, id })).toMatchObject({ result: 'fixed' });
  expect(await hasStatus(id, 5)).toBe(true);
  expect(await pendingOf(fixture)).toEqual([]);
});

it('the service still merges what its check has confirmed twice at the same place', async () => {
  const { tenant } = await twoAdmins(make);
  const asset = { ...(await make.asset(tenant.id)), tier: null };
  const check = { checkId: 'missing-hsts', checkDefinition: { location: `https://${asset.value}/` } };
  const [main, part] = [
    await make.finding(tenant.id, { asset, ...check, title: 'One' }),
    await make.finding(tenant.id, { asset, title: 'Two' }),
  ];
  await query(
    `UPDATE findings SET verification = 'confirmed', verified_at = now(), check_id = $2, check_definition = $3 WHERE id = ANY($1)`,
    [[main.id, part.id], check.checkId, check.checkDefinition],
  );
  const entry = { operation: 'finding.merge', resourceType: 'finding', organizationId: tenant.id } as const;
  await api.app
    .get(UnitOfWork, { strict: false })
    .run({ actor: system, ...entry }, scope, () =>
      api.app.get(FindingMergesService, { strict: false }).mergeAlike(tenant.id, main.id),
    );
  expect(await has('SELECT 1 FROM findings WHERE id = $1 AND merged_into = $2', part.id, main.id)).toBe(true);
});
