import { connectTo } from './data-set/bench-database';
import type { DataSet } from './data-set/bench-database';
import { credentialsOf } from './data-set/keys';
import { Random, Skewed } from './data-set/random';
import { eventAt, organizationAt, slugOf } from './data-set/shape';
import type { BenchRequest } from './load-generator';

const requestsPerConnection = 500;

const get = (path: string, organizationId: number): BenchRequest => ({
  method: 'GET',
  path,
  headers: { authorization: credentialsOf(organizationId).header },
});

/** Random requests that differ for each connection and are the same in each run. */
export const forConnections = (count: number, make: (random: Random) => BenchRequest): BenchRequest[][] =>
  Array.from({ length: count }, (_, connection) => {
    const random = new Random(connection + 100);
    return Array.from({ length: requestsPerConnection }, () => make(random));
  });

/** Findings from all over the data set, each with the key of its organization. */
export async function findingRequests({ ownerUrl, shape }: DataSet, connections: number): Promise<BenchRequest[][]> {
  const client = await connectTo(ownerUrl);
  const random = new Random(7);
  const ids = Array.from({ length: 20_000 }, () => 1 + random.integerBelow(shape.findings));
  const { rows } = await client.query<{ id: number; organization_id: number }>(
    'SELECT id, organization_id FROM findings WHERE id = ANY($1)',
    [ids],
  );
  await client.end();
  const requests = rows.map(({ id, organization_id: owner }) => get(`/v1/findings/${id}/`, owner));
  return forConnections(connections, (random) => random.pick(requests));
}

/** A finding of each organization. */
export async function requestOfEach({ ownerUrl }: DataSet): Promise<BenchRequest[]> {
  const client = await connectTo(ownerUrl);
  const { rows } = await client.query<{ id: number; owner: number }>(
    'SELECT max(id) AS id, organization_id AS owner FROM findings GROUP BY organization_id ORDER BY organization_id',
  );
  await client.end();
  return rows.map(({ id, owner }) => get(`/v1/findings/${id}/`, owner));
}

/** First pages of events, more often of large ones. */
export function pageRequests({ shape }: DataSet, connections: number, perPage: number): BenchRequest[][] {
  const organizationOf = new Skewed(shape.organizations);
  const eventOf = new Skewed(shape.eventsEach);
  return forConnections(connections, (random) => {
    const organization = organizationOf.choose(random);
    const slug = slugOf(eventAt(shape, organization, eventOf.choose(random)));
    return get(`/v1/events/${slug}/findings/?per_page=${perPage}`, organizationAt(organization));
  });
}

/** First pages of the assets of organizations. */
export function assetRequests({ shape }: DataSet, connections: number, perPage: number): BenchRequest[][] {
  const organizationOf = new Skewed(shape.organizations);
  return forConnections(connections, (random) => {
    const owner = organizationAt(organizationOf.choose(random));
    return get(`/v1/organizations/${owner}/assets/?per_page=${perPage}`, owner);
  });
}

/** First pages of the jobs of organizations. */
export function jobRequests({ shape }: DataSet, connections: number, perPage: number): BenchRequest[][] {
  const organizationOf = new Skewed(shape.organizations);
  return forConnections(connections, (random) =>
    get(`/v1/jobs/?per_page=${perPage}`, organizationAt(organizationOf.choose(random))),
  );
}

/** The same requests, with the tag of the response that the client has. */
export async function unchanged(url: string, requests: BenchRequest[][]): Promise<BenchRequest[][]> {
  const [all = []] = requests;
  const tagged = await Promise.all(
    all.slice(0, 200).map(async (request) => {
      const { headers } = await fetch(url + request.path, { headers: request.headers });
      return { ...request, headers: { ...request.headers, 'If-None-Match': headers.get('etag') ?? '' } };
    }),
  );
  return forConnections(requests.length, (random) => random.pick(tagged));
}

/** One page of the largest event. */
export const pageOfLargestEvent = ({ shape }: DataSet, page: number): BenchRequest =>
  get(`/v1/events/${slugOf(eventAt(shape, 0, 0))}/findings/?per_page=50&page=${page}`, organizationAt(0));

export const ownerRequest = (path: string): BenchRequest => get(path, organizationAt(0));
