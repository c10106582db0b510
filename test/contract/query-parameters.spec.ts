import { useApi } from '../support/api';
import { basic } from '../support/client';
import { currentContract } from '../support/contract';
import { Factories } from '../support/factories';
import { type RecordIds, unknownIds } from '../support/records';

const api = useApi();
const make = new Factories(api);

interface DocumentedOperation {
  readonly operationId: string;
  readonly security?: readonly Record<string, unknown>[];
  readonly parameters?: readonly { readonly name?: string; readonly in?: string }[];
}

interface Row {
  readonly id: string;
  readonly method: string;
  /** With ids that do not exist: unknown parameters are refused before any record is read. */
  readonly path: string;
  /** The documented query parameters. */
  readonly known: readonly string[];
  readonly isForBeacons: boolean;
}

const rows = (): Row[] =>
  Object.entries(currentContract().document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, DocumentedOperation>).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path: path.replace(/\{(\w+)\}/g, (_match, name: keyof RecordIds) => String(unknownIds[name])),
      known: (operation.parameters ?? []).flatMap(({ name, in: where }) => (where === 'query' && name ? [name] : [])),
      isForBeacons: operation.security !== undefined,
    })),
  );

/** Parameters of some operations, which others must not accept, and one that no operation has. */
const candidates = [
  'page',
  'per_page',
  'after',
  'before',
  'count',
  'sort',
  'q',
  'status',
  'severity',
  'fail',
  'severty',
];

/** An integrator with machine events may call every operation, and a beacon its own. */
async function authorizations(): Promise<(row: Row) => string> {
  const { credentials } = await make.integrator({ machineEvents: true });
  const tenant = await make.organization();
  const { id, token } = await make.beacon(tenant.id);
  const { client } = await tenant.as('admin');
  const oneTime = async (purpose: string): Promise<string> =>
    (await client.post(`/v1/organizations/${tenant.id}/beacons/${id}/${purpose}`)).body.token;
  const secrets: Readonly<Record<string, string>> = {
    registerBeacon: await oneTime('registration'),
    deleteOwnBeacon: await oneTime('deletion'),
  };
  const ofBeacon = (row: Row) => basic({ accessKey: String(id), secret: secrets[row.id] ?? token });
  return (row) => (row.isForBeacons ? ofBeacon(row) : basic(credentials));
}

it('every operation refuses unknown query parameters and names the known ones', async () => {
  const authorizationOf = await authorizations();
  const all = rows();
  expect(all.length).toBeGreaterThan(50);
  for (const row of all) {
    const unknown = candidates.filter((name) => !row.known.includes(name));
    const query = unknown.map((name) => `${name}=1`).join('&');
    const authorization = authorizationOf(row);
    const { status, body } = await make
      .anonymous()
      .send(row.method, `${row.path}?${query}`, undefined, { authorization });
    expect([row.id, status]).toEqual([row.id, 400]);
    const [, names, known] =
      /^(.*) (?:is|are) not (?:a )?query parameters? of this operation; (.*)\.$/.exec(body.description) ?? [];
    expect([row.id, names?.split(', ')]).toEqual([row.id, unknown.map((name) => `"${name}"`)]);
    const listed = known === 'it has none' ? [] : known?.replace(/^known parameters: /, '').split(', ');
    expect([row.id, listed?.sort()]).toEqual([row.id, [...row.known].sort()]);
  }
});

it('every operation answers 401 to unknown query parameters without credentials', async () => {
  for (const { id, method, path } of rows()) {
    expect([id, (await make.anonymous().send(method, `${path}?severty=high`)).status]).toEqual([id, 401]);
  }
});

it('a caller without the role gets a 403, and not the parameters', async () => {
  const { client } = await make.member((await make.organization()).id, 'viewer');
  expect((await client.post('/v1/assets/?severty=high', {})).status).toBe(403);
  expect((await client.get('/v1/audit-logs/?severty=high')).status).toBe(403);
});

it('a refused change has no effect and is in the audit log', async () => {
  const tenant = await make.organization();
  const { client } = await tenant.as('owner');
  const asset = { asset_value: 'a.example.com', asset_type: 'domain', organization_id: tenant.id };
  const refused = await client.post('/v1/assets/?dry_run=true', asset);
  expect(refused.body.description).toBe('"dry_run" is not a query parameter of this operation; it has none.');
  expect((await client.get(`/v1/organizations/${tenant.id}/assets/`)).body.assets).toEqual([]);
  const { audit_logs } = (await client.get('/v1/audit-logs/?operation=asset.create')).body;
  expect(audit_logs).toEqual([expect.objectContaining({ status: 'failure' })]);
});

it('only the success of a job accepts `fail`', async () => {
  const { client } = await make.member((await make.organization()).id, 'viewer');
  expect((await client.get(`/v1/jobs/${unknownIds.uuid}/success?fail=False`)).status).toBe(404);
  expect((await client.get(`/v1/jobs/${unknownIds.uuid}/status?fail=False`)).status).toBe(400);
});

it.each([
  'severty',
  'severty[]',
  'severty[0]',
  '__proto__',
  'constructor',
  'slice',
  '',
  '[severity]',
  'Severity',
  '%00',
])('refuses the parameter name "%s"', async (name) => {
  const tenant = await make.organization();
  const { client } = await tenant.as('viewer');
  const { status, body } = await client.get(`/v1/organizations/${tenant.id}/findings/?${name}=high`);
  expect([status, body.description]).toEqual([400, expect.stringContaining('known parameters: ')]);
  expect((await client.send('HEAD', `/v1/organizations/${tenant.id}/findings/?${name}=high`)).status).toBe(400);
});

it.each(['/docs', '/openapi.json', '/openapi.yaml', '/healthz', '/readyz'])(
  '%s accepts any query parameter',
  async (path) => {
    const response = await fetch(`${api.url}${path}?cache=0`);
    // Reads the rest, because the connection of a large response stays open until then.
    await response.text();
    expect(response.status).toBe(200);
  },
);
