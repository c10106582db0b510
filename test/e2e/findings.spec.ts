import { randomUUID } from 'node:crypto';
import { SEVERITIES, type Severity } from '../../src/kernel/severity';
import { useApi } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { Factories, unique } from '../support/factories';

const api = useApi();
const make = new Factories(api);

const idsIn = ({ body }: Answer): number[] => body.findings.map(({ id }: { id: number }) => id);

async function insertAsset(organizationId: number): Promise<number> {
  const rows = await query<{ id: number }>(
    `INSERT INTO assets (organization_id, value, type) VALUES ($1, 'www.example.com', 'domain') RETURNING id`,
    [organizationId],
  );
  return rows[0]?.id ?? 0;
}

/** Requests every path and expects identical responses. */
async function expectIdenticalResponses(client: Client, status: number, paths: string[]): Promise<void> {
  const answers = await Promise.all(paths.map((path) => client.get(path)));
  expect(answers.map((answer) => answer.status)).toEqual(paths.map(() => status));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
}

describe('reading a finding', () => {
  it('returns every field, in a list of one', async () => {
    const tenant = await make.organization();
    const viewer = await tenant.as('viewer');
    const assetId = await insertAsset(tenant.id);
    const finding = await make.finding(tenant.id, {
      asset: { id: assetId, value: 'www.example.com', tier: 1 },
      title: 'Heartbleed',
      md: 'It **bleeds**. <script>alert(1)</script>',
      cve: 'CVE-2014-0160',
      cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
      requestedScore: 8,
    });
    const answer = await viewer.client.get(`/v1/findings/${finding.id}/`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      findings: [
        {
          id: finding.id,
          title: 'Heartbleed',
          md: 'It **bleeds**. <script>alert(1)</script>',
          html: '<p>It <strong>bleeds</strong>. &lt;script&gt;alert(1)&lt;/script&gt;</p>\n',
          asset_id: assetId,
          asset_value: 'www.example.com',
          status: 1,
          previous_status: null,
          requested_score: 8,
          event_id: null,
          severity: 'high',
          priority: 2,
          score: 7.5,
          cve: 'CVE-2014-0160',
          cwe: null,
          cvss_vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
          references: [],
          epss: null,
          kev: null,
          accepted_check: null,
          allow_unsafe: false,
          merged_into: null,
          other_cves: [],
          assignee_id: null,
          due_date: new Date(finding.created.getTime() + 30 * 86_400_000).toISOString().slice(0, 10),
          labels: [],
          belief: { value: 'untestable', since: finding.created.toISOString() },
          verification: { result: 'untested', reason: 'No check is bound to the finding.', tested_at: null },
          edited: null,
          created: finding.created.toISOString(),
        },
      ],
    });
  });

  it('still works after its asset is deleted', async () => {
    const tenant = await make.organization();
    const assetId = await insertAsset(tenant.id);
    const { id } = await make.finding(tenant.id, { asset: { id: assetId, value: 'www.example.com', tier: null } });
    await query('DELETE FROM assets WHERE id = $1', [assetId]);
    const { client } = await tenant.as('viewer');
    const answer = await client.get(`/v1/findings/${id}`);
    expect(answer.body.findings[0]).toMatchObject({ asset_id: null, asset_value: 'www.example.com' });
  });

  it('names the accepted check of a finding, alone and in every list', async () => {
    const tenant = await make.organization();
    const event = await make.event(tenant.id);
    const asset = await make.asset(tenant.id, { value: 'http://staging.example.com/', type: 'url' });
    const location = 'http://staging.example.com/app';
    const at = async (checkDefinition: object, checkId = 'no-https-redirect') =>
      (await make.finding(tenant.id, { eventId: event.id, asset: { ...asset, tier: null }, checkId, checkDefinition }))
        .id;
    const accepted = await at({ location });
    const others = [
      await at({ location: 'http://www.example.com/' }),
      await at({ location }, 'login-over-http'),
      await at({ location, http: 'id: x' }),
      (await make.finding(tenant.id, { eventId: event.id, asset: { ...asset, tier: null } })).id,
    ];
    const { client, userId } = await make.member(tenant.id, 'admin');
    await query("UPDATE users SET name = 'Ada Ito' WHERE id = $1", [userId]);
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const decision = { reason: 'Only in the office network.', until };
    await client.put(`/v1/assets/${asset.id}/accepted-checks/no-https-redirect`, decision);
    const named = {
      check_id: 'no-https-redirect',
      asset_id: asset.id,
      asset_value: asset.value,
      ...decision,
      accepted_by: 'Ada Ito',
      accepted_for: 'asset',
      label: null,
    };

    const everywhere = async () => {
      const single = (await client.get(`/v1/findings/${accepted}/`)).body.findings;
      const ofOrganization = (await client.get(`/v1/organizations/${tenant.id}/findings/`)).body.findings;
      const ofEvent = (await client.get(`/v1/events/${event.slug}/findings/`)).body.findings;
      const ofAsset = (await client.get(`/v1/assets/${asset.id}/`)).body.findings.findings;
      return [single, ofOrganization, ofEvent, ofAsset].map((list: { id: number; accepted_check: unknown }[]) =>
        Object.fromEntries(list.map((one) => [one.id, one.accepted_check])),
      );
    };
    const noneOf = Object.fromEntries(others.map((id) => [id, null]));
    const whole = (check: unknown) => ({ ...noneOf, [accepted]: check });
    expect(await everywhere()).toEqual([{ [accepted]: named }, whole(named), whole(named), whole(named)]);
    await query('UPDATE accepted_checks SET until = now() WHERE asset_id = $1', [asset.id]);
    expect(await everywhere()).toEqual([{ [accepted]: null }, whole(null), whole(null), whole(null)]);
  });

  it('reveals nothing about a finding of another organization', async () => {
    const foreign = await make.finding((await make.organization()).id);
    const { client } = await (await make.organization()).as('owner');
    const ids = [foreign.id, 2_147_483_647, 2_147_483_648, 'abc', '0x1', '-1', '1.5', '%ff'];
    await expectIdenticalResponses(
      client,
      404,
      ids.map((id) => `/v1/findings/${id}/`),
    );
    await expectIdenticalResponses(
      client,
      404,
      ids.map((id) => `/v1/findings/${id}/history`),
    );
  });
});

describe('listing the findings of an organization', () => {
  it('gives the same answer for a foreign organization as for one that does not exist', async () => {
    const { client } = await (await make.organization()).as('owner');
    const empty = await make.organization();
    const full = (await make.organization()).id;
    await make.finding(full);
    await expectIdenticalResponses(
      client,
      404,
      [empty.id, full, 2_147_483_647].map((id) => `/v1/organizations/${id}/findings/`),
    );
  });

  it('pages through them, newest first, each once', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    const ids: number[] = [];
    for (let index = 0; index < 5; index++) ids.push((await make.finding(tenant.id)).id);
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => client.get(`/v1/organizations/${tenant.id}/findings/?per_page=2&page=${page}`)),
    );
    expect(pages.map(idsIn)).toEqual([[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]], []]);
    expect(pages[0]?.headers.get('link')).toMatch(/per_page=2&after=[\w-]+>; rel="next"$/);
    expect(pages[2]?.headers.get('link')).not.toContain('rel="next"');
  });

  it('sorts by severity or priority, most urgent first, then newest first', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    const first = { id: null, value: 'first.example.com', tier: 1 };
    const low = await make.finding(tenant.id, { severity: 'low' });
    const jobUuid = randomUUID();
    const high = await make.finding(tenant.id, { severity: 'high', jobUuid });
    const mediumOnFirstTier = await make.finding(tenant.id, { severity: 'medium', jobUuid, asset: first });
    const highAgain = await make.finding(tenant.id, { severity: 'high', jobUuid });
    const cosmic = await make.finding(tenant.id, { score: 10 });
    const path = `/v1/organizations/${tenant.id}/findings/`;
    expect(idsIn(await client.get(`${path}?sort=severity`))).toEqual(
      [cosmic, highAgain, high, mediumOnFirstTier, low].map(({ id }) => id),
    );
    expect(idsIn(await client.get(`${path}?sort=priority`))).toEqual(
      [cosmic, highAgain, mediumOnFirstTier, high, low].map(({ id }) => id),
    );
    expect(idsIn(await client.get(`${path}?sort=severity&per_page=2&page=2`))).toEqual([high.id, mediumOnFirstTier.id]);
  });

  it('filters by status, minimum severity and asset, also combined', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const assetId = await insertAsset(tenant.id);
    const asset = { id: assetId, value: 'www.example.com', tier: null };
    const all = [];
    for (const severity of SEVERITIES) all.push(await make.finding(tenant.id, { severity, asset }));
    const withoutAsset = await make.finding(tenant.id, { severity: 'cosmic' });
    const [none, , , medium, high, critical, cosmic] = all.map(({ id }) => id);
    await client.post(`/v1/findings/${high}/status`, { status: 5 });
    const ids = async (question: string) =>
      idsIn(await client.get(`/v1/organizations/${tenant.id}/findings/?${question}`));
    expect(await ids('severity=critical')).toEqual([withoutAsset.id, cosmic, critical]);
    expect(await ids('severity=none')).toHaveLength(8);
    expect(await ids('status=5')).toEqual([high]);
    expect(await ids(`severity=medium&status=1&asset_id=${assetId}`)).toEqual([cosmic, critical, medium]);
    expect(await ids('asset_id=2147483647')).toEqual([]);
    expect((await ids(`asset_id=${assetId}`)).at(-1)).toBe(none);
  });

  it.each([
    ['SQL inj', true],
    ['sql INJ', true],
    ['100% of', true],
    ['_users', true],
    ['api.example', true],
    ['ÜBER', true],
    ['100_', false],
    ['%25', false],
    ['a\\b', true],
    ['a\\\\b', false],
    ["' OR 1=1 --", false],
  ])('searches title and asset value for %j and finds %s', async (text, isFound) => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    const asset = { id: null, value: 'api.example.com', tier: null };
    const { id } = await make.finding(tenant.id, { asset, title: unique('SQL injection in 100% of über_users a\\b') });
    await make.finding(tenant.id, { title: unique('Something else') });
    const answer = await client.get(`/v1/organizations/${tenant.id}/findings/?q=${encodeURIComponent(text)}`);
    expect(idsIn(answer)).toEqual(isFound ? [id] : []);
  });

  it('searches the whole title, and the beginning of a long asset value', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    const title = `${'\u{1F512}'.repeat(490)}the end`;
    const asset = { id: null, value: `https://example.com/${'x'.repeat(2_000)}/last`, tier: null };
    const { id } = await make.finding(tenant.id, { asset, title });
    const found = async (q: string) => idsIn(await client.get(`/v1/organizations/${tenant.id}/findings/?q=${q}`));
    expect(await found('the%20END')).toEqual([id]);
    expect(await found('https://example.com/xxx')).toEqual([id]);
    expect(await found('/last')).toEqual([]);
  });

  it('combines search with filters and sorting', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('owner');
    const named = (severity: Severity, word: string) =>
      make.finding(tenant.id, { severity, title: unique(`${word} ${severity}`) });
    const low = await named('low', 'Needle');
    const high = await named('high', 'Needle');
    const medium = await named('medium', 'Needle');
    await named('critical', 'Straw');
    expect((await client.post(`/v1/findings/${medium.id}/status`, { status: 5 })).status).toBe(200);
    const found = async (question: string) =>
      idsIn(await client.get(`/v1/organizations/${tenant.id}/findings/?q=needle&${question}`));
    expect(await found('')).toEqual([medium.id, high.id, low.id]);
    expect(await found('sort=severity')).toEqual([high.id, medium.id, low.id]);
    expect(await found('sort=priority')).toEqual([high.id, medium.id, low.id]);
    expect(await found('severity=medium&status=1')).toEqual([high.id]);
    expect(await found('severity=medium&sort=severity&per_page=1&page=2')).toEqual([medium.id]);
  });

  it.each([
    ['status=0', 'status must be one of: 1 (open)'],
    ['status=11', 'status must be'],
    ['status=open', 'status must be'],
    ['severity=High', 'severity must be one of: none, info'],
    ['severity=low&severity=high', 'severity must be given once, as one of: none, info'],
    ['asset_id=abc', 'asset_id must be'],
    ['sort=created', 'sort must be one of: severity, priority'],
    ['q=', 'q must be a string of 1 to 200 characters'],
    ['q=%0A', 'without control characters'],
    [`q=${'x'.repeat(201)}`, 'q must be a string of 1 to 200 characters'],
    ['page=0', 'page must be'],
    ['per_page=101', 'per_page must be'],
  ])('refuses %s with a message that says what is wrong', async (question, sentence) => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    const answer = await client.get(`/v1/organizations/${tenant.id}/findings/?${question}`);
    expect(answer.status).toBe(400);
    expect(answer.body.description).toContain(sentence);
  });

  it('shows each organization only its own findings, and answers 404 for another one’s', async () => {
    const [own, foreign] = [await make.organization(), await make.organization()];
    const mine = await make.finding(own.id);
    await make.finding(foreign.id);
    const { client } = await own.as('owner');
    expect(idsIn(await client.get(`/v1/organizations/${own.id}/findings/`))).toEqual([mine.id]);
    await expectIdenticalResponses(
      client,
      404,
      [foreign.id, 2_147_483_647, 'abc'].map((id) => `/v1/organizations/${id}/findings/`),
    );
  });

  it('shows an integrator only the findings of organizations that it created', async () => {
    const integrator = await make.integrator();
    const tenant = await make.organization({ integratorId: integrator.integratorId });
    const { id } = await make.finding(tenant.id);
    const other = await make.finding((await make.organization()).id);
    expect(idsIn(await integrator.client.get(`/v1/organizations/${tenant.id}/findings/`))).toEqual([id]);
    expect((await integrator.client.get(`/v1/findings/${id}/`)).status).toBe(200);
    expect((await integrator.client.get(`/v1/findings/${other.id}/`)).status).toBe(404);
  });
});

describe('permission to read findings', () => {
  it('requires a role and a key with the read scope', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const paths = [`/v1/findings/${id}/`, `/v1/findings/${id}/history`, `/v1/organizations/${tenant.id}/findings/`];
    const statuses = (client: Client) => Promise.all(paths.map(async (path) => (await client.get(path)).status));
    expect(await statuses(make.anonymous())).toEqual([401, 401, 401]);
    const left = await (await make.organization()).as('owner');
    await query('DELETE FROM memberships WHERE user_id = $1', [left.userId]);
    expect(await statuses(left.client)).toEqual([403, 403, 403]);
    expect(await statuses((await make.member(tenant.id, 'owner', { scopes: ['ci'] })).client)).toEqual([403, 403, 403]);
    expect(await statuses((await make.member(tenant.id, 'viewer', { scopes: ['read'] })).client)).toEqual([
      200, 200, 200,
    ]);
  });
});
