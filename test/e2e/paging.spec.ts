import * as fc from 'fast-check';
import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { Factories, unique } from '../support/factories';

const api = useApi();
const make = new Factories(api);

/** A list, and a function that adds an item to it. */
interface Listed {
  readonly client: Client;
  readonly path: string;
  readonly field: string;
  add(): Promise<number>;
}

async function organizations(): Promise<Listed> {
  const { client } = await make.integrator();
  const add = async (): Promise<number> => (await client.post('/v1/organizations/', { name: unique('O') })).body.id;
  return { client, path: '/v1/organizations/', field: 'organizations', add };
}

async function findings(): Promise<Listed> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const event = { name: unique('Event'), event_type: 1, event_category: 1, end_date: '2099-01-01' };
  const { slug } = (await client.post(`/v1/organizations/${tenant.id}/events/`, event)).body;
  const path = `/v1/events/${slug}/findings/`;
  const add = async (): Promise<number> =>
    (await client.post(path, { title: unique('F'), asset_value: 'a.example.com', severity: 'low' })).body.id;
  return { client, path, field: 'findings', add };
}

async function assets(): Promise<Listed> {
  const tenant = await make.organization();
  const { client } = await tenant.as('member');
  const add = async (): Promise<number> =>
    (
      await client.post('/v1/assets/', {
        organization_id: tenant.id,
        asset_value: `${unique('a').replace(' ', '')}.example.com`,
        asset_type: 'domain',
      })
    ).body.id;
  return { client, path: `/v1/organizations/${tenant.id}/assets/`, field: 'assets', add };
}

const nextOf = (headers: Headers): string | undefined => /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];

it.each([
  ['organizations', organizations],
  ['findings of an event', findings],
  ['assets', assets],
])('the next links of %s return each item exactly once although items are added meanwhile', async (_name, list) => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(12),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.nat(2), { maxLength: 12 }),
      async (count, perPage, added) => {
        const { client, path, field, add } = await list();
        const ids: number[] = [];
        for (let index = 0; index < count; index++) ids.push(await add());
        const seen: number[] = [];
        let next: string | undefined = `${path}?per_page=${perPage}`;
        for (let page = 0; next !== undefined; page++) {
          const answer = await client.get(next);
          const items = answer.body[field] as { id: number }[];
          expect(items.length).toBeLessThanOrEqual(perPage);
          seen.push(...items.map(({ id }) => id));
          for (let more = added[page] ?? 0; more > 0; more--) await add();
          next = nextOf(answer.headers);
        }
        expect(seen).toEqual(ids.toReversed());
      },
    ),
    { numRuns: 8 },
  );
});
