import { FindingDetailsService, FindingOverviewService, FindingLists } from '../../src/modules/findings';
import { everything } from '../../src/platform/api/scope';
import { useApi } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { Factories, type Tenant, unique } from '../support/factories';
import { expectWaitingForLocks, lockRows } from '../support/row-locks';

const api = useApi();
const make = new Factories(api);
const scope = everything('a test');

const merge = (client: Client, into: number, ids: readonly number[]): Promise<Answer> =>
  client.post(`/v1/findings/${into}/merge`, { finding_ids: ids });
const separate = (client: Client, from: number, ids: readonly number[]): Promise<Answer> =>
  client.post(`/v1/findings/${from}/separate`, { finding_ids: ids });
const read = async (client: Client, id: number): Promise<Answer['body']> =>
  (await client.get(`/v1/findings/${id}/`)).body.findings[0];
const idsAt = async (client: Client, path: string): Promise<number[]> =>
  (await client.get(path)).body.findings.map(({ id }: { id: number }) => id);
const notes = async (client: Client, id: number): Promise<(string | null)[]> =>
  (await client.get(`/v1/findings/${id}/history`)).body.history.map(({ comment }: { comment: string }) => comment);
const refusal = ({ status, body }: Answer): unknown[] => [status, body.description];

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly event: { readonly id: number; readonly slug: string };
  readonly asset: { readonly id: number; readonly value: string; readonly tier: null };
  /** Records a finding of the event as a person does. */
  readonly record: (title: string, severity?: string) => Promise<number>;
}

async function fixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('member');
  const event = await make.event(tenant.id, { status: 'running' });
  const asset = { ...(await make.asset(tenant.id)), tier: null };
  const record = async (title: string, severity = 'medium'): Promise<number> => {
    const body = { title, severity, asset_id: asset.id };
    const answer = await client.post(`/v1/events/${event.slug}/findings/`, body);
    if (answer.status > 201) throw new Error(answer.text);
    return answer.body.id;
  };
  return { tenant, client, event, asset, record };
}

/** Everything that lists or counts the findings of the fixture. */
async function everywhere({ tenant, client, event, asset }: Fixture): Promise<Record<string, unknown>> {
  const all = {
    minSeverity: 0,
    statuses: [1, 2, 3, 4, 5, 6],
    seenFrom: new Date(0),
    seenTo: new Date('2999-01-01'),
    withoutIds: [],
    owner: null,
    organizationId: tenant.id,
  };
  const details = api.app.get(FindingDetailsService);
  const reportedOf = async (subject: { organizationId: number } | { eventId: number }) => {
    const { chosen, unselected, ofSubject } = await details.listMatching(scope, subject, all, 100);
    return [chosen.map(({ id }) => id), unselected.map(({ id }) => id), ofSubject];
  };
  const ofOrganization = `/v1/organizations/${tenant.id}/findings/`;
  const ofEvent = `/v1/events/${event.slug}/findings/`;
  const ofAsset = (await client.get(`/v1/assets/${asset.id}/`)).body;
  const { overview } = await api.app.get(FindingOverviewService).read(scope, tenant.id);
  const weeks = await api.app.get(FindingOverviewService).weeksOfAsset(scope, asset.id);
  const change = { kind: 'regressed', since: new Date(0) } as const;
  const previewed = [{ filter: { change, isOpen: true }, order: 'newest' }] as const;
  const [regressed] = await api.app.get(FindingLists).preview(scope, tenant.id, previewed, { shown: 1, counted: 10 });
  const counts = await api.app.get(FindingLists).countByStatus(scope, tenant.id);
  return {
    ofOrganization: await idsAt(client, ofOrganization),
    bySeverity: await idsAt(client, `${ofOrganization}?sort=severity`),
    byPriority: await idsAt(client, `${ofOrganization}?sort=priority`),
    byDueDate: await idsAt(client, `${ofOrganization}?sort=due_date`),
    byText: await idsAt(client, `${ofOrganization}?q=${asset.value}`),
    onAsset: await idsAt(client, `${ofOrganization}?asset_id=${asset.id}`),
    ofEvent: await idsAt(client, ofEvent),
    openOfEvent: await idsAt(client, `${ofEvent}?status=1`),
    severestOfEvent: await idsAt(client, `${ofEvent}?sort=severity`),
    asset: [ofAsset.n_findings, ofAsset.risk_score, ofAsset.findings.findings.length],
    overview: [overview.open, overview.weeks.at(-1), overview.riskiest],
    weeks: weeks?.weeks.at(-1),
    regressed: regressed?.total,
    counts: [...counts],
    reportOfOrganization: await reportedOf({ organizationId: tenant.id }),
    reportOfEvent: await reportedOf({ eventId: event.id }),
  };
}

describe('findings that are merged', () => {
  it('count once, stay readable, and are unchanged after they are separated', async () => {
    const at = await fixture();
    const { client } = at;
    const main = await at.record('Git repository');
    const alone = await everywhere(at);
    const part = await at.record('Repository of Git');
    await client.patch(`/v1/findings/${part}/`, { labels: ['shop'], due_date: '2999-01-01' });
    await client.post(`/v1/findings/${part}/comments/`, { comment: 'Seen.' });
    const [before, partBefore] = [await everywhere(at), await read(client, part)];
    expect(before).not.toEqual(alone);

    const merged = await merge(client, main, [part]);
    expect([merged.status, merged.body.findings]).toEqual([200, [await read(client, main)]]);
    expect(await everywhere(at)).toEqual(alone);
    expect(await read(client, part)).toEqual({ ...partBefore, merged_into: main });
    expect((await read(client, main)).merged_into).toBeNull();
    expect(await idsAt(client, `/v1/organizations/${at.tenant.id}/findings/?merged_into=${main}`)).toEqual([part]);
    expect(await idsAt(client, `/v1/events/${at.event.slug}/findings/?merged_into=${main}`)).toEqual([part]);
    expect(await notes(client, part)).toEqual([`Merged into #${main}.`, 'Seen.', null, null]);
    expect(await notes(client, main)).toEqual([`Merged into it: #${part}.`, null]);
    const { sightings } = (await client.get(`/v1/findings/${main}/sightings`)).body;
    expect(sightings.map(({ finding_id, title }: Record<string, unknown>) => [finding_id, title])).toEqual([
      [part, 'Repository of Git'],
      [main, 'Git repository'],
    ]);
    expect((await client.get(`/v1/findings/${part}/sightings`)).body.sightings).toHaveLength(1);

    expect((await separate(client, main, [part])).status).toBe(200);
    expect(await everywhere(at)).toEqual(before);
    expect(await read(client, part)).toEqual(partBefore);
    expect((await notes(client, part))[0]).toBe(`Separated from #${main}.`);
    expect((await notes(client, main))[0]).toBe(`Separated from it: #${part}.`);
    expect((await client.get(`/v1/findings/${main}/sightings`)).body.sightings).toHaveLength(1);
    const [seen] = await query('SELECT times_seen, last_seen = created AS once FROM findings WHERE id = $1', [main]);
    expect(seen).toEqual({ times_seen: 1, once: true });
    const admin = await at.tenant.as('admin');
    const audit = (await admin.client.get(`/v1/audit-logs/?resource_id=${main}`)).body.audit_logs;
    expect(audit.map(({ operation, metadata }: Record<string, unknown>) => [operation, metadata])).toEqual(
      expect.arrayContaining([
        ['finding.merge', expect.objectContaining({ merged: [part] })],
        ['finding.separate', expect.objectContaining({ separated: [part] })],
      ]),
    );
  });

  it('are in the events that saw one of them, and each in its own events after they are separated', async () => {
    const at = await fixture();
    const other = await make.event(at.tenant.id, { status: 'running' });
    const main = await at.record('Git repository');
    const part = (
      await at.client.post(`/v1/events/${other.slug}/findings/`, {
        title: 'Repository of Git',
        severity: 'medium',
        asset_id: at.asset.id,
      })
    ).body.id;
    const inEvents = async () => [
      await idsAt(at.client, `/v1/events/${at.event.slug}/findings/`),
      await idsAt(at.client, `/v1/events/${other.slug}/findings/`),
    ];
    await merge(at.client, main, [part]);
    expect(await inEvents()).toEqual([[main], [main]]);
    await separate(at.client, main, [part]);
    expect(await inEvents()).toEqual([[main], [part]]);
  });

  it('are not changed and not tested: every change names the main finding', async () => {
    const at = await fixture();
    const { client } = at;
    const admin = (await at.tenant.as('admin')).client;
    const [main, part] = [await at.record('One'), await at.record('Two')];
    expect((await client.post(`/v1/findings/${part}/retest/`)).status).toBe(202);
    await merge(client, main, [part]);
    const named = [
      409,
      `Finding ${part} is merged into finding ${main}: use finding ${main} instead, or separate finding ${part}.`,
    ];
    const path = `/v1/findings/${part}`;
    expect(refusal(await client.post(`${path}/status`, { status: 2 }))).toEqual(named);
    expect(refusal(await client.patch(`${path}/`, { labels: ['x'] }))).toEqual(named);
    expect(refusal(await client.post(`${path}/comments/`, { comment: 'x' }))).toEqual(named);
    expect(refusal(await client.post(`${path}/retest/`))).toEqual(named);
    expect(refusal(await client.post(`/v1/events/${at.event.slug}${path.slice(3)}/retest`))).toEqual(named);
    expect(refusal(await admin.post(`${path}/retest/verdict`, { result: 'fixed' }))).toEqual(named);
    expect((await read(client, part)).status).toBe(1);
  });

  it('are refused with the reason when they cannot be', async () => {
    const at = await fixture();
    const { client } = at;
    const [main, part, third] = [await at.record('One'), await at.record('Two'), await at.record('Three')];
    const elsewhere = await make.finding((await make.organization()).id);
    const severe = await at.record('Severe', 'critical');
    expect(refusal(await merge(client, main, [main]))).toEqual([
      422,
      `finding_ids: finding ${main} cannot be merged into itself.`,
    ]);
    expect(refusal(await merge(client, main, [part, elsewhere.id]))).toEqual([
      404,
      'finding_ids: the finding at position 2 was not found.',
    ]);
    expect((await merge(client, elsewhere.id, [part])).status).toBe(404);
    expect((await merge(client, main, [severe])).status).toBe(403);
    expect((await merge((await at.tenant.as('admin')).client, main, [severe])).status).toBe(200);
    expect(refusal(await merge(client, third, [severe]))).toEqual([
      409,
      `Finding ${severe} is merged into finding ${main} already: separate it first.`,
    ]);
    expect((await merge(client, severe, [third])).status).toBe(409);
    expect(refusal(await separate(client, third, [severe]))).toEqual([
      409,
      `Finding ${severe} is not merged into finding ${third}.`,
    ]);
    await query("UPDATE findings SET verification = 'confirmed' WHERE id = $1", [part]);
    expect(refusal(await merge(client, third, [part]))).toEqual([
      409,
      expect.stringContaining(`Finding ${part} is proved and finding ${third} is not`),
    ]);
    await query("UPDATE findings SET verification = 'untested' WHERE id = $1", [part]);
    await client.post(`/v1/findings/${third}/status`, { status: 5 });
    expect((await merge(client, third, [part])).status).toBe(409);
    // If one is refused, none is merged.
    expect((await read(client, part)).merged_into).toBeNull();
    const { client: integrator } = await make.integrator();
    const own = (await integrator.post('/v1/organizations/', { name: unique('A') })).body.id;
    const foreign = (await integrator.post('/v1/organizations/', { name: unique('B') })).body.id;
    const across = [await make.finding(own), await make.finding(foreign)];
    expect((await merge(integrator, across[0]?.id ?? 0, [across[1]?.id ?? 0])).status).toBe(404);
  });

  it('include the findings that are merged into them', async () => {
    const at = await fixture();
    const [main, middle, inner] = [await at.record('One'), await at.record('Two'), await at.record('Three')];
    await merge(at.client, middle, [inner]);
    await merge(at.client, main, [middle]);
    expect((await read(at.client, inner)).merged_into).toBe(main);
    await separate(at.client, main, [middle, inner]);
    expect(await idsAt(at.client, `/v1/organizations/${at.tenant.id}/findings/`)).toEqual([inner, middle, main]);
  });

  it('that are merged in both directions at the same time are merged in one direction', async () => {
    const at = await fixture();
    const [one, two] = [await at.record('One'), await at.record('Two')];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => merge(at.client, index % 2 ? one : two, [index % 2 ? two : one])),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    const main = answers.find(({ status }) => status === 200)?.body.findings[0].id;
    expect(await idsAt(at.client, `/v1/organizations/${at.tenant.id}/findings/`)).toEqual([main]);
    expect((await at.client.get(`/v1/assets/${at.asset.id}/`)).body.n_findings).toBe(1);
  });

  it('that are recorded again are sightings of the main finding, and reopen it', async () => {
    const at = await fixture();
    const { client } = at;
    const [main, part] = [await at.record('One'), await at.record('Two')];
    for (const id of [main, part]) await client.post(`/v1/findings/${id}/status`, { status: 5 });
    await merge(client, main, [part]);
    const other = await make.event(at.tenant.id, { status: 'running' });
    const again = await client.post(`/v1/events/${other.slug}/findings/`, {
      title: 'Two',
      severity: 'medium',
      asset_id: at.asset.id,
    });
    expect([again.status, again.body.id]).toEqual([200, main]);
    expect([(await read(client, main)).status, (await read(client, part)).status]).toEqual([1, 5]);
    expect(await idsAt(client, `/v1/organizations/${at.tenant.id}/findings/`)).toEqual([main]);
    expect(await idsAt(client, `/v1/events/${other.slug}/findings/`)).toEqual([main]);
    const { sightings } = (await client.get(`/v1/findings/${main}/sightings`)).body;
    expect(sightings.map(({ finding_id }: { finding_id: number }) => finding_id)).toEqual([part, part, main]);
    expect(await query('SELECT times_seen FROM findings WHERE id = $1', [main])).toEqual([{ times_seen: 3 }]);

    await separate(client, main, [part]);
    // It was seen after it was resolved.
    expect(await read(client, part)).toMatchObject({ status: 1, previous_status: 5 });
    expect((await notes(client, part))[0]).toBe(`Separated from #${main}. It was seen again while it was merged.`);
    expect(await idsAt(client, `/v1/events/${other.slug}/findings/`)).toEqual([part]);
  });

  it('and are recorded at the same time become sightings of the main finding', async () => {
    const at = await fixture();
    const [main, part] = [await at.record('One'), await at.record('Two')];
    for (const id of [main, part]) await at.client.post(`/v1/findings/${id}/status`, { status: 5 });
    const release = await lockRows('findings', [part]);
    const merging = merge(at.client, main, [part]);
    await expectWaitingForLocks(1);
    const recording = at.record('Two');
    await expectWaitingForLocks(2);
    await release();
    expect([(await merging).status, await recording]).toEqual([200, main]);
    expect([(await read(at.client, main)).status, (await read(at.client, part)).status]).toEqual([1, 5]);
  });

  it('that are resolved and were not seen again stay resolved when they are separated', async () => {
    const at = await fixture();
    const [main, part] = [await at.record('One'), await at.record('Two')];
    await at.client.post(`/v1/findings/${part}/status`, { status: 5 });
    await merge(at.client, main, [part]);
    await separate(at.client, main, [part]);
    expect((await read(at.client, part)).status).toBe(5);
  });
});
