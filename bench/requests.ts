import { connected } from './data-set/bench-database';
import type { DataSet } from './data-set/bench-database';
import { credentialsOf } from './data-set/keys';
import { Random, Skewed } from './data-set/random';
import { eventAt, organizationAt, slugOf } from './data-set/shape';
import type { Ask } from './drive';

const eachConnection = 500;

const get = (path: string, organizationId: number): Ask => ({
  method: 'GET',
  path,
  authorization: credentialsOf(organizationId).header,
});

/** Different for each connection, the same in each run. */
export const forConnections = (count: number, make: (random: Random) => Ask): Ask[][] =>
  Array.from({ length: count }, (_, connection) => {
    const random = new Random(connection + 100);
    return Array.from({ length: eachConnection }, () => make(random));
  });

/** Findings from all over the data set, each with the key of its organization. */
export async function findingAsks({ ownerUrl, shape }: DataSet, connections: number): Promise<Ask[][]> {
  const client = await connected(ownerUrl);
  const random = new Random(7);
  const ids = Array.from({ length: 20_000 }, () => 1 + random.below(shape.findings));
  const { rows } = await client.query<{ id: number; organization_id: number }>(
    'SELECT id, organization_id FROM findings WHERE id = ANY($1)',
    [ids],
  );
  await client.end();
  const asks = rows.map(({ id, organization_id: owner }) => get(`/v1/findings/${id}/`, owner));
  return forConnections(connections, (own) => own.of(asks));
}

/** First pages of events, the large ones asked for more often, as they are. */
export function pageAsks({ shape }: DataSet, connections: number, perPage: number): Ask[][] {
  const organizationOf = new Skewed(shape.organizations);
  const eventOf = new Skewed(shape.eventsEach);
  return forConnections(connections, (random) => {
    const organization = organizationOf.choose(random);
    const slug = slugOf(eventAt(shape, organization, eventOf.choose(random)));
    return get(`/v1/events/${slug}/findings/?per_page=${perPage}`, organizationAt(organization));
  });
}

/** One page of the largest event. */
export const largestEventAsks = ({ shape }: DataSet, connections: number, page: number): Ask[][] =>
  forConnections(connections, () =>
    get(`/v1/events/${slugOf(eventAt(shape, 0, 0))}/findings/?per_page=50&page=${page}`, organizationAt(0)),
  );

export const ownerAsk = (path: string): Ask => get(path, organizationAt(0));
