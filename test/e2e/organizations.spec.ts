import { PurgeRepository } from '../../src/modules/organizations/data/purge.repository';
import { jpegOf, pngOf } from '../../src/kernel/testing/pictures';
import { useApi, useWorker } from '../support/api';
import { query } from '../support/database';
import { Factories, unique } from '../support/factories';
import { eventually } from '../support/eventually';

const api = useApi();
useWorker();
const make = new Factories(api);

describe('creating an organization', () => {
  it('assigns it to the integrator and returns its Location', async () => {
    const { client } = await make.integrator();
    const name = unique('Northwind');
    const answer = await client.post('/v1/organizations/', { name: `  ${name} `, assets_limit: 5 });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ code: 201, description: 'Organization created.', id: answer.body.id, success: true });
    expect(answer.headers.get('location')).toBe(`/v1/organizations/${answer.body.id}/`);
    const list = await client.get('/v1/organizations/');
    expect(list.body).toEqual({ organizations: [{ id: answer.body.id, name }] });
  });

  it('refuses a name that the integrator already uses, ignoring case, and allows it to another integrator', async () => {
    const one = await make.integrator();
    const other = await make.integrator();
    const name = unique('Straße');
    expect((await one.client.post('/v1/organizations/', { name })).status).toBe(201);
    expect((await one.client.post('/v1/organizations/', { name: name.toUpperCase() })).status).toBe(409);
    expect((await other.client.post('/v1/organizations/', { name })).status).toBe(201);
  });

  it('creates exactly one organization from twenty simultaneous requests with the same name', async () => {
    const { client } = await make.integrator();
    const name = unique('Race');
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.post('/v1/organizations/', { name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });

  it('enforces the subscription limit for twenty simultaneous requests', async () => {
    const { client } = await make.integrator({ organizationsLimit: 3 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.post('/v1/organizations/', { name: unique('Limit') })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(17);
  });

  it('reports a taken name before a reached limit', async () => {
    const { client } = await make.integrator({ organizationsLimit: 1 });
    const name = unique('Full');
    await client.post('/v1/organizations/', { name });
    expect((await client.post('/v1/organizations/', { name })).status).toBe(409);
    expect((await client.post('/v1/organizations/', { name: unique('Another') })).status).toBe(422);
  });

  it('is refused to a key limited to one organization, like all integrator-wide routes', async () => {
    const partner = await make.integrator({ machineEvents: true });
    const { id } = (await partner.client.post('/v1/organizations/', { name: unique('One') })).body;
    const limited = await make.person(partner.userId, { limitedTo: id });
    expect((await limited.client.post('/v1/organizations/', { name: unique('Two') })).status).toBe(403);
    expect(
      (await limited.client.put('/v1/settings/default-event-duration/', { duration: 1, unit: 'days' })).status,
    ).toBe(403);
  });

  it('is refused to owners, recorded in their audit log', async () => {
    const tenant = await make.organization();
    const owner = await tenant.as('owner');
    expect((await owner.client.post('/v1/organizations/', { name: 'x' })).status).toBe(403);
    const log = await owner.client.get('/v1/audit-logs/?operation=organization.create&status=failure');
    expect(log.body.total).toBe(1);
    expect(log.body.audit_logs[0]).toMatchObject({ actor_id: String(owner.userId), metadata: { reason: 'forbidden' } });
  });

  it.each([
    [{}, 'name is missing'],
    [{ name: 7 }, 'name must be a string'],
    [{ name: '   ' }, 'name must be a string of 1 to 200 characters that is not blank'],
    [{ name: 'x'.repeat(201) }, 'name must be a string of 1 to 200'],
    [{ name: 'x', assets_limit: '1' }, 'assets_limit must be a whole number'],
    [{ name: 'x', assets_limit: 1.5 }, 'assets_limit must be a whole number'],
    [{ name: 'x', assets_limit: -1 }, 'assets_limit must be a whole number'],
    [{ name: 'x', assets_limit: 1_000_001 }, 'assets_limit must be a whole number'],
    [{ name: 'x', id: 1 }, '"id" is not a field'],
    [{ name: 'x', assetslimit: 1 }, '"assetslimit" is not a field'],
  ])('refuses %j with a message that says what is wrong', async (body, sentence) => {
    const { client } = await make.integrator();
    const answer = await client.post('/v1/organizations/', body);
    expect(answer.status).toBe(400);
    expect(answer.body.description).toContain(sentence);
  });
});

describe('listing organizations', () => {
  it('shows each caller its own organizations in pages, newest first', async () => {
    const { client } = await make.integrator();
    const ids: number[] = [];
    for (let index = 0; index < 5; index++)
      ids.push((await client.post('/v1/organizations/', { name: unique('O') })).body.id);
    const first = await client.get('/v1/organizations?per_page=2');
    const second = await client.get('/v1/organizations?per_page=2&page=2');
    const third = await client.get('/v1/organizations?per_page=2&page=3');
    const fourth = await client.get('/v1/organizations?per_page=2&page=4');
    const seen = [first, second, third].flatMap(({ body }) => body.organizations.map(({ id }: { id: number }) => id));
    expect(seen).toEqual(ids.toReversed());
    expect(first.headers.get('link')).toMatch(/^<\/v1\/organizations\?per_page=2&after=[\w-]+>; rel="next"$/);
    expect(second.headers.get('link')).toContain('</v1/organizations?per_page=2&page=1>; rel="prev"');
    expect(third.headers.get('link')).not.toContain('rel="next"');
    expect(fourth.body).toEqual({ organizations: [] });
  });
});

describe('the logo of an organization', () => {
  const png = (bytes: Uint8Array<ArrayBuffer> = new Uint8Array(pngOf(40, 20)), type = 'image/png'): Blob =>
    new Blob([bytes], { type });

  it('is replaced, downloaded with its type, and deleted, with entries in the audit log', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const path = `/v1/organizations/${tenant.id}/logo`;
    expect((await client.get(path)).body.description).toBe('Logo not found.');
    expect((await client.put(path, png())).status).toBe(204);
    const jpeg = png(new Uint8Array(jpegOf(60, 30)), 'image/jpeg');
    expect((await client.put(path, jpeg)).status).toBe(204);
    const answer = await client.get(path);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-length')]).toEqual([
      200,
      'image/jpeg',
      String(jpeg.size),
    ]);
    expect(answer.headers.get('content-disposition')).toContain('attachment');
    expect(answer.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect([(await client.delete(path)).status, (await client.delete(path)).status]).toEqual([204, 404]);
    const log = (await client.get('/v1/audit-logs/?operation=organization.logo_change')).body.audit_logs;
    expect(log[0]).toMatchObject({ resource_id: String(tenant.id), metadata: { media_type: 'image/jpeg', width: 60 } });
  });

  it.each([
    [png(), 'image/svg+xml', 415, 'send it with Content-Type: image/png or image/jpeg'],
    [png(), 'application/json', 415, 'The body must be a file'],
    [png(new Uint8Array(262_145)), 'image/png', 413, 'The body must be at most 262144 bytes.'],
    [undefined, 'image/png', 400, 'The body is missing'],
    [png(new Uint8Array(10)), 'image/png', 400, 'The body is not a PNG picture'],
    [png(new Uint8Array(pngOf(10, 10))), 'image/png', 400, 'The picture has 10 x 10 pixels'],
  ])('is refused: case %#', async (body, type, status, sentence) => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const answer = await client.put(`/v1/organizations/${tenant.id}/logo`, body, { 'content-type': type });
    expect([answer.status, answer.body.description]).toEqual([status, expect.stringContaining(sentence)]);
  });
});

describe('deleting an organization', () => {
  it('hides it everywhere at once; the worker purges its rows; its audit log stays readable to the integrator', async () => {
    const integrator = await make.integrator();
    const { id } = (await integrator.client.post('/v1/organizations/', { name: unique('Doomed') })).body;
    const viewer = await make.member(id, 'viewer', { limitedTo: id });
    expect((await viewer.client.get('/v1/organizations')).body.organizations).toHaveLength(1);

    const answer = await integrator.client.delete(`/v1/organizations/${id}/`);
    expect(answer.status).toBe(200);
    expect(answer.body.id).toBe(id);
    expect((await integrator.client.delete(`/v1/organizations/${id}/`)).status).toBe(404);
    expect((await integrator.client.get('/v1/organizations/')).body.organizations).toEqual([]);

    await eventually(async () => expect((await viewer.client.get('/v1/me')).status).toBe(401));
    await eventually(async () => {
      expect(await query('SELECT 1 FROM memberships WHERE organization_id = $1', [id])).toEqual([]);
      expect(await query('SELECT 1 FROM api_keys WHERE organization_id = $1', [id])).toEqual([]);
      const log = await integrator.client.get(`/v1/audit-logs/?organization_id=${id}&operation=organization.purge`);
      expect(log.body.audit_logs[0]).toMatchObject({ status: 'success', actor_type: 'system' });
    });
  });

  it('purges dependent rows before the rows that they reference', async () => {
    const tables = await api.app.get(PurgeRepository).tablesOfOrganizations();
    const position = (table: string): number => tables.indexOf(table);
    expect(position('finding_history')).toBeLessThan(position('findings'));
    expect(position('findings')).toBeLessThan(position('assets'));
    expect(position('findings')).toBeLessThan(position('events'));
    expect(position('assets')).toBeLessThan(position('beacons'));
  });

  it('deletes it once for twenty simultaneous requests', async () => {
    const { client } = await make.integrator();
    const { id } = (await client.post('/v1/organizations/', { name: unique('Twenty') })).body;
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.delete(`/v1/organizations/${id}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(19);
  });
});
