import type { Client } from './client';
import { eventually } from './eventually';
import type { Factories } from './factories';
import type { VulnerableSite } from './vulnerable-site';

interface RequestedRetest {
  readonly client: Client;
  readonly path: string;
  readonly uuid: string;
}

/** Requests the first retest of a new finding on a site, in a new organization. */
export async function requestRetestOf(make: Factories, { url }: VulnerableSite): Promise<RequestedRetest> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const asset = await make.asset(tenant.id, { value: url, type: 'url' });
  const check = { checkId: 'missing-nosniff', checkDefinition: { location: url } };
  const { id } = await make.finding(tenant.id, { asset: { ...asset, tier: null }, ...check });
  return requestRetest({ client, path: `/v1/findings/${id}/retest` });
}

export const requestRetest = async ({ client, path }: Omit<RequestedRetest, 'uuid'>): Promise<RequestedRetest> => ({
  client,
  path,
  uuid: (await client.post(path)).body.uuid,
});

export const untilFinished = ({ client, path }: RequestedRetest): Promise<void> =>
  eventually(async () => expect((await client.get(path)).body.status).toBe('finished'), 300_000);
