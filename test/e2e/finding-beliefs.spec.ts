import { randomUUID } from 'node:crypto';
import { FindingsService, type VerificationResult } from '../../src/modules/findings';
import { beliefRankIn, beliefRankOf } from '../../src/modules/findings/domain/belief';
import { system } from '../../src/platform/api/caller';
import { everything } from '../../src/platform/api/scope';
import { formatPosition, type LinkPosition, parsePosition } from '../../src/platform/http/link-position';
import { UnitOfWork } from '../../src/platform/audit/unit-of-work';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { imported } from '../support/imports';

const api = useApi();
useWorker();
const make = new Factories(api);

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly event: { readonly id: number; readonly slug: string };
}

async function fixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  return { tenant, client, event: await make.event(tenant.id, { status: 'running' }) };
}

const check = { id: 'missing-nosniff', location: 'https://example.com/' };
const tested = { checkId: check.id, checkDefinition: check, fingerprint: '' };

const found = async ({ tenant, event }: Fixture, draft: Parameters<Factories['finding']>[1]): Promise<number> => {
  const fingerprint = randomUUID().replaceAll('-', '').repeat(2);
  return (await make.finding(tenant.id, { ...tested, fingerprint, eventId: event.id, ...draft })).id;
};

const inUnitOfWork = (work: () => Promise<void>): Promise<void> =>
  api.app
    .get(UnitOfWork)
    .run({ actor: system, operation: 'finding.verify', resourceType: 'finding' }, everything('a test'), work);

/** Stores the result of a test of the finding as a worker does. */
const verified = (id: number, result: VerificationResult, assetId: number | null = null): Promise<void> =>
  inUnitOfWork(() =>
    api.app
      .get(FindingsService)
      .saveVerification({ id, assetId }, { result, reason: 'A test.' }, { waits: true, at: null }),
  );

/** The order in both lists by priority, each read as one page and as pages of one finding. */
async function orders({ tenant, client, event }: Fixture): Promise<number[][]> {
  const lists = [`/v1/organizations/${tenant.id}/findings/`, `/v1/events/${event.slug}/findings/`];
  const ids = lists.flatMap((list) => [
    client.get(`${list}?sort=priority`).then(({ body }) => body.findings.map(({ id }: { id: number }) => id)),
    inSteps(client, `${list}?sort=priority&per_page=1`),
  ]);
  return Promise.all(ids);
}

async function inSteps(client: Client, first: string): Promise<number[]> {
  const ids: number[] = [];
  for (let next: string | undefined = first; next !== undefined;) {
    const { body, headers } = await client.get(next);
    ids.push(...body.findings.map(({ id }: { id: number }) => id));
    next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]?.replace(/^https?:\/\/[^/]*/, '');
  }
  return ids;
}

const rowOf = async (id: number) =>
  (
    await query<{ priority: number; since: Date | null; events: [number, number][] }>(
      `SELECT f.priority, f.believed_since AS since, (
         SELECT json_agg(json_build_array(l.priority, l.belief_rank)) FROM event_findings l WHERE l.finding_id = f.id) AS events
       FROM findings f WHERE f.id = $1`,
      [id],
    )
  )[0];

const withReplay = (url: string) => ({
  'template-id': 'any-template',
  info: { name: 'A weakness', severity: 'medium' },
  type: 'http',
  'matched-at': url,
  'extracted-results': ['a decisive text'],
  request: 'GET /x HTTP/1.1\r\nHost: example.com\r\n\r\n',
  response: 'HTTP/1.1 200 OK\r\n\r\na decisive text',
});

async function afterUpgrade(): Promise<void> {
  const claimed = { id: '1', kind: 'finding.beliefs', reference: 'upgrade', attempt: 1, failures: 0 };
  const owner = { organizationId: null, integratorId: null, assetId: null, eventId: null };
  const handler = api.app.get(WorkRegistry).handlerOf('finding.beliefs');
  await handler.perform({ ...claimed, ...owner }, new AbortController().signal);
}

describe('within a priority', () => {
  it('proved findings come first, then claims with support, then other claims, and refuted ones last', async () => {
    const at = await fixture();
    const refuted = await found(at, { jobUuid: null });
    const proved = await found(at, { jobUuid: randomUUID() });
    const supported = await found(at, {});
    const claim = await found(at, {});
    await query('UPDATE findings SET is_supported = false WHERE id = $1', [claim]);
    await verified(claim, 'inconclusive');
    await verified(refuted, 'refuted');
    const expected = [proved, supported, claim, refuted];
    expect(await orders(at)).toEqual([expected, expected, expected, expected]);
    await verified(claim, 'confirmed');
    expect((await orders(at))[2]).toEqual([claim, proved, supported, refuted]);
  });

  it('the database computes the same rank as the rule', async () => {
    for (const verification of ['confirmed', 'refuted', 'inconclusive', 'untested'] as const)
      for (const isSupported of [true, false]) {
        const [row] = await query<{ rank: number }>(
          `SELECT ${beliefRankIn('f')} AS rank FROM (SELECT $1::text AS verification, $2::boolean AS is_supported) f`,
          [verification, isSupported],
        );
        expect(row?.rank).toBe(beliefRankOf({ verification, isSupported }));
      }
  });

  it('a page position from an earlier version has too few numbers, and is refused', async () => {
    const at = await fixture();
    await found(at, {});
    await found(at, {});
    const url = `/v1/organizations/${at.tenant.id}/findings/?sort=priority&per_page=1`;
    const { headers } = await at.client.get(url);
    const after = /after=([\w-]+)/.exec(headers.get('link') ?? '')?.[1] ?? '';
    const { values, ...position } = parsePosition(after) as LinkPosition;
    const earlier = formatPosition({ ...position, values: values.filter((_value, at) => at !== 1) });
    expect(values).toEqual([-3, 2, expect.any(Number)]);
    const answer = await at.client.get(`${url}&after=${earlier}`);
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining('must be a position from a Link header'),
    ]);
  });
});

describe('a claim has support', () => {
  it('if a file shows its request and response, even a later file, until the import is undone', async () => {
    const at = await fixture();
    const path = `/v1/events/${at.event.slug}/imports`;
    const url = `https://${(await make.asset(at.tenant.id)).value}/x`;
    const file = (finding: object) => new Blob([`${JSON.stringify(finding)}\n`], { type: 'application/x-ndjson' });
    const { request: _request, response: _response, ...plain } = withReplay(url);
    await imported({ ...at, path }, file(plain));
    const [finding] = await query<{ id: number }>('SELECT id FROM findings WHERE organization_id = $1', [at.tenant.id]);
    const id = finding?.id ?? 0;
    expect((await rowOf(id))?.events).toEqual([[3, 1]]);
    const later = await imported({ ...at, path }, file(withReplay(url)));
    expect((await rowOf(id))?.events).toEqual([[3, 2]]);
    await at.client.post(`/v1/imports/${later.id}/undo`);
    await eventually(async () => expect((await rowOf(id))?.events).toEqual([[3, 1]]));
  });
});

describe('the step of an asset of tier 1', () => {
  it('is applied when a test proves the finding, in its events too, and removed with another check', async () => {
    const at = await fixture();
    const { id: assetId, value } = await make.asset(at.tenant.id, { tier: 1 });
    const asset = { id: assetId, value, tier: 1 };
    const ofPerson = { ...check, http: 'id: own' };
    const id = await found(at, { asset, checkDefinition: ofPerson });
    expect(await rowOf(id)).toEqual({ priority: 3, since: null, events: [[3, 2]] });
    await verified(id, 'confirmed', assetId);
    const proved = await rowOf(id);
    expect(proved).toEqual({ priority: 2, since: expect.any(Date), events: [[2, 3]] });
    for (const result of ['inconclusive', 'refuted', 'untested', 'confirmed'] as const) {
      await verified(id, result, assetId);
      expect(await rowOf(id)).toEqual(proved);
    }
    const [{ fingerprint } = { fingerprint: '' }] = await query<{ fingerprint: string }>(
      `SELECT encode(fingerprint, 'hex') AS fingerprint FROM findings WHERE id = $1`,
      [id],
    );
    const other = { ...ofPerson, location: 'https://example.com/other' };
    await make.finding(at.tenant.id, { ...tested, checkDefinition: other, fingerprint, asset, eventId: at.event.id });
    const replaced = await rowOf(id);
    expect(replaced).toMatchObject({ priority: 3, events: [[3, 2]] });
    expect(replaced?.since?.getTime()).toBeGreaterThanOrEqual(proved?.since?.getTime() ?? 0);
  });

  it('and the support of claims are correct after the upgrade has recomputed them', async () => {
    const at = await fixture();
    const { id: assetId, value } = await make.asset(at.tenant.id, { tier: 1 });
    const claim = await found(at, { asset: { id: assetId, value, tier: 1 } });
    const proved = await found(at, { jobUuid: randomUUID(), asset: { id: assetId, value, tier: 1 } });
    await query('UPDATE findings SET priority = 2, is_supported = false WHERE organization_id = $1', [at.tenant.id]);
    await query('UPDATE event_findings SET priority = 2, belief_rank = 1 WHERE organization_id = $1', [at.tenant.id]);
    await afterUpgrade();
    expect(await rowOf(claim)).toMatchObject({ priority: 3, events: [[3, 2]] });
    expect(await rowOf(proved)).toMatchObject({ priority: 2, events: [[2, 3]] });
  });
});

it('findings get the current titles of their checks after an upgrade, unless a person gave them another one', async () => {
  const at = await fixture();
  const titled = async (checkId: string, title: string, location: string): Promise<number> =>
    found(at, { title, checkId, checkDefinition: { location } });
  const page = 'https://shop.example.com/';
  const ids = [
    await titled('sql-injection', 'The database executes what is in a parameter', `${page}items?id`),
    await titled('sql-injection', 'The database executes what is in a parameter', `${page}#cookie=basket`),
    await titled('missing-frame-protection', 'The page can be framed by any site', page),
    await titled('sql-injection', 'The items can be read by anybody', `${page}all?id`),
    await titled('open-redirect', 'The page can be framed by any site', `${page}?next`),
  ];
  await afterUpgrade();
  const rows = await query<{ title: string }>('SELECT title FROM findings WHERE id = ANY($1) ORDER BY id', [ids]);
  expect(rows.map(({ title }) => title)).toEqual([
    'SQL injection in the parameter id',
    'SQL injection in the cookie basket',
    'Clickjacking: the page can be framed by any site',
    'The items can be read by anybody',
    'The page can be framed by any site',
  ]);
});

it('findings have their belief in the API, in filters of both lists, and in exports', async () => {
  const at = await fixture();
  const proved = await found(at, { jobUuid: randomUUID() });
  const claimed = await found(at, {});
  const refuted = await found(at, {});
  const untestable = await found(at, { checkId: null, checkDefinition: null });
  await verified(refuted, 'refuted');
  for (const [value, id] of Object.entries({ proved, claimed, refuted, untestable }))
    for (const list of [`organizations/${at.tenant.id}`, `events/${at.event.slug}`]) {
      const { body, headers } = await at.client.get(`/v1/${list}/findings/?belief=${value}&sort=priority&count=true`);
      expect(headers.get('x-total-count')).toBe('1');
      const since =
        value === 'refuted' || value === 'proved' ? body.findings[0].verification.tested_at : body.findings[0].created;
      expect(body.findings).toEqual([expect.objectContaining({ id, belief: { value, since } })]);
    }
  expect((await at.client.get(`/v1/organizations/${at.tenant.id}/findings/?belief=true`)).status).toBe(400);
});

describe('the risk of an asset', () => {
  const assetIn = async ({ tenant }: Fixture) => ({ ...(await make.asset(tenant.id)), tier: null });
  const sums = (id: number) => query('SELECT proved, refuted FROM asset_totals WHERE asset_id = $1', [id]);

  it('follows the results of tests, and does not count refuted findings', async () => {
    const at = await fixture();
    const asset = await assetIn(at);
    const id = await found(at, { severity: 'high', asset });
    expect(await sums(asset.id)).toEqual([{ proved: 0, refuted: 0 }]);
    await verified(id, 'confirmed', asset.id);
    await verified(id, 'confirmed', asset.id);
    expect(await sums(asset.id)).toEqual([{ proved: 598, refuted: 0 }]);
    await at.client.post(`/v1/findings/${id}/status`, { status: 5 });
    expect(await sums(asset.id)).toEqual([{ proved: 0, refuted: 0 }]);
    await at.client.post(`/v1/findings/${id}/status`, { status: 1 });
    const other = await found(at, { severity: 'critical', asset });
    await verified(other, 'refuted', asset.id);
    expect(await sums(asset.id)).toEqual([{ proved: 598, refuted: 1204 }]);
  });

  it('is that of a claim again when another check replaces the one that proved the finding', async () => {
    const at = await fixture();
    const asset = await assetIn(at);
    const draft = { ...tested, severity: 'high', asset, fingerprint: 'ab'.repeat(32) } as const;
    const ofPerson = { ...check, http: 'id: own' };
    const { id } = await make.finding(at.tenant.id, { ...draft, checkDefinition: ofPerson });
    await verified(id, 'confirmed', asset.id);
    expect(await sums(asset.id)).toEqual([{ proved: 598, refuted: 0 }]);
    await make.finding(at.tenant.id, {
      ...draft,
      checkDefinition: { ...ofPerson, location: 'https://example.com/other' },
    });
    expect(await sums(asset.id)).toEqual([{ proved: 0, refuted: 0 }]);
  });

  it('sorts assets, one proved finding before any number of claims, as one page and as pages of one', async () => {
    const at = await fixture();
    const assets = [await assetIn(at), await assetIn(at), await assetIn(at), await assetIn(at)];
    const [claimed, proved, refuted, empty] = assets.map(({ id }) => id);
    for (let index = 0; index < 20; index++) await found(at, { severity: 'critical', asset: assets[0] });
    await found(at, { severity: 'high', asset: assets[1], jobUuid: randomUUID() });
    await verified(await found(at, { severity: 'critical', asset: assets[2] }), 'refuted', refuted);
    const list = `/v1/organizations/${at.tenant.id}/assets/?sort=risk`;
    const idsOf = ({ body }: Awaited<ReturnType<Client['get']>>) => body.assets.map(({ id }: { id: number }) => id);
    expect(idsOf(await at.client.get(list))).toEqual([proved, claimed, empty, refuted]);
    const steps: number[] = [];
    for (let next: string | undefined = `${list}&per_page=1`; next !== undefined;) {
      const answer = await at.client.get(next);
      steps.push(...idsOf(answer));
      next = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]?.replace(/^https?:\/\/[^/]*/, '');
    }
    expect(steps).toEqual([proved, claimed, empty, refuted]);
    await query('UPDATE asset_totals SET critical = 1000000 WHERE asset_id = $1', [claimed]);
    expect(idsOf(await at.client.get(list))).toEqual([proved, claimed, empty, refuted]);
  });

  it('is computed again after an upgrade', async () => {
    const at = await fixture();
    const asset = await assetIn(at);
    await found(at, { severity: 'high', asset, jobUuid: randomUUID() });
    await verified(await found(at, { severity: 'low', asset }), 'refuted', asset.id);
    const counted = await sums(asset.id);
    expect(counted).toEqual([{ proved: 598, refuted: 51 }]);
    await query('UPDATE asset_totals SET proved = 0, refuted = 7 WHERE asset_id = $1', [asset.id]);
    await afterUpgrade();
    expect(await sums(asset.id)).toEqual(counted);
  });
});
