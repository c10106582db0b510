import { useApi, useWorker } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, unique } from '../support/factories';

const api = useApi();
useWorker();
const make = new Factories(api);

const tables = ['assets', 'domains', 'beacons', 'events', 'event_scope', 'findings', 'finding_history', 'asset_totals'];

it('an organization that is deleted while things are added to it leaves nothing behind', async () => {
  const { client } = await make.integrator();
  const { id } = (await client.post('/v1/organizations/', { name: unique('Racing') })).body;
  const name = (kind: string): string => `${unique(kind).replace(' ', '')}.example.com`;
  const event = () => ({ name: unique('E'), event_type: 1, event_category: 1, end_date: '2099-01-01' });
  const { slug } = (await client.post(`/v1/organizations/${id}/events/`, event())).body;
  const adds = [
    () => client.post('/v1/assets/', { organization_id: id, asset_value: name('a'), asset_type: 'domain' }),
    () => client.post('/v1/domains/', { organization_id: id, value: name('d') }),
    () =>
      client.post(`/v1/organizations/${id}/beacons/`, {
        name: unique('b').replace(' ', '-'),
        allowed_cidrs: ['10.0.0.0/8'],
      }),
    () => client.post(`/v1/organizations/${id}/events/`, event()),
    () => client.post(`/v1/events/${slug}/findings/`, { title: unique('F'), asset_value: name('f'), severity: 'low' }),
  ];
  const round = () => adds.map((add) => add());
  const before = [...round(), ...round()];
  const deletion = client.delete(`/v1/organizations/${id}/`);
  const answers = await Promise.all([...before, ...round(), ...round()]);
  expect((await deletion).status).toBe(200);
  expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 404)).toEqual([]);
  for (const add of adds) expect((await add()).status).toBe(404);
  await eventually(async () => {
    for (const table of tables) {
      expect([table, await query(`SELECT 1 FROM ${table} WHERE organization_id = $1`, [id])]).toEqual([table, []]);
    }
  }, 20_000);
});
