import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, unique } from '../support/factories';

const api = useApi();
const make = new Factories(api);

const path = '/v1/settings/default-event-duration/';

const stored = async (integratorId: number) =>
  (
    await query<{ duration: number | null; unit: string | null }>(
      'SELECT default_event_duration AS duration, default_event_unit AS unit FROM integrators WHERE id = $1',
      [integratorId],
    )
  )[0];

describe('the default event duration', () => {
  it('can be set by an integrator with machine events', async () => {
    const { client, integratorId } = await make.integrator({ machineEvents: true });
    const answer = await client.put(path, { duration: 30, unit: 'days' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      code: 200,
      description: 'Default event duration set to 30 days.',
      id: null,
      success: true,
    });
    expect(await stored(integratorId)).toEqual({ duration: 30, unit: 'days' });
    const short = await client.put(path.slice(0, -1), { duration: 1, unit: 'hours' });
    expect([short.status, short.body.description]).toEqual([200, 'Default event duration set to 1 hour.']);
    expect(await stored(integratorId)).toEqual({ duration: 1, unit: 'hours' });
  });

  it('is recorded with its previous value in the audit log of the integrator’s only organization', async () => {
    const { client, userId } = await make.integrator({ machineEvents: true });
    await client.post('/v1/organizations/', { name: unique('Only') });
    await client.put(path, { duration: 2, unit: 'weeks' });
    await client.put(path, { duration: 3, unit: 'months' });
    await client.put(path, { duration: 0, unit: 'months' });
    const { body } = await client.get('/v1/audit-logs/?operation=settings.default_event_duration_change');
    expect(body.audit_logs).toMatchObject([
      { status: 'failure', metadata: { reason: 'unprocessable' } },
      {
        status: 'success',
        metadata: { from: { duration: 2, unit: 'weeks' }, to: { duration: 3, unit: 'months' } },
      },
      {
        status: 'success',
        actor_type: 'integrator',
        actor_id: String(userId),
        operation_category: 'settings',
        resource_type: 'settings',
        resource_id: 'default-event-duration',
        metadata: { from: null, to: { duration: 2, unit: 'weeks' } },
      },
    ]);
  });

  it('is refused to an integrator whose subscription has no machine events', async () => {
    const { client, integratorId } = await make.integrator({ machineEvents: false });
    const answer = await client.put(path, { duration: 30, unit: 'days' });
    expect(answer.status).toBe(403);
    expect(answer.body.description).toContain('machine events');
    expect(await stored(integratorId)).toEqual({ duration: null, unit: null });
  });

  it.each(['viewer', 'member', 'admin', 'owner'] as const)('is refused to a user who is %s', async (role) => {
    const { client } = await (await make.organization()).as(role);
    expect((await client.put(path, { duration: 30, unit: 'days' })).status).toBe(403);
  });

  it('is refused to a read-only key and to a request without credentials', async () => {
    const { client } = await make.integrator({ machineEvents: true, scopes: ['read'] });
    expect((await client.put(path, { duration: 30, unit: 'days' })).status).toBe(403);
    expect((await make.anonymous().put(path, { duration: 30, unit: 'days' })).status).toBe(401);
  });

  it.each([
    [{}, 'duration is missing'],
    [{ duration: 30 }, 'unit is missing'],
    [{ duration: '30', unit: 'days' }, 'duration must be a whole number'],
    [{ duration: 1.5, unit: 'days' }, 'duration must be a whole number'],
    [{ duration: null, unit: 'days' }, 'duration must be a whole number'],
    [{ duration: 30, unit: 'day' }, 'unit must be one of: hours, days, weeks, months'],
    [{ duration: 30, unit: 'Days' }, 'unit must be one of'],
    [{ duration: 30, unit: 1 }, 'unit must be one of'],
    [{ duration: 30, unit: 'days', id: 1 }, '"id" is not a field'],
  ])('refuses %j', async (body, sentence) => {
    const { client } = await make.integrator({ machineEvents: true });
    const answer = await client.put(path, body);
    expect(answer.status).toBe(400);
    expect(answer.body.description).toContain(sentence);
  });

  it.each([
    [0, 'hours', 422],
    [-1, 'days', 422],
    [1, 'hours', 200],
    [8_760, 'hours', 200],
    [8_761, 'hours', 422],
    [366, 'days', 422],
    [12, 'months', 200],
    [13, 'months', 422],
    [1e15, 'hours', 422],
  ])('of %d %s is answered with %d', async (duration, unit, status) => {
    const { client } = await make.integrator({ machineEvents: true });
    expect((await client.put(path, { duration, unit })).status).toBe(status);
  });

  it('is one of the values of twenty simultaneous requests, each with its own audit entry', async () => {
    const { client, integratorId } = await make.integrator({ machineEvents: true });
    await client.post('/v1/organizations/', { name: unique('Only') });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => client.put(path, { duration: index + 1, unit: 'days' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const { body } = await client.get('/v1/audit-logs/?operation=settings.default_event_duration_change&per_page=100');
    expect(body.total).toBe(20);
    const ends = body.audit_logs.map((entry: { metadata: { to: unknown } }) => entry.metadata.to);
    const begins = body.audit_logs.map((entry: { metadata: { from: unknown } }) => entry.metadata.from);
    const last = ends.filter((end: unknown) => !begins.some((begin: unknown) => isSame(begin, end)));
    expect(last).toEqual([await stored(integratorId)]);
  });
});

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
