import type { Role } from '../../src/kernel/role';
import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { currentContract } from '../support/contract';
import { query } from '../support/database';
import { Factories, unique } from '../support/factories';
import { unknownIds, type RecordIds, tenantWithRecords } from '../support/records';

/** An address that no worker of this file asks: it may be tested without a proof of whose it is. */
const launchable = '127.0.0.1:8080';
const api = useApi({ EGRESS_ALLOW: launchable });
const make = new Factories(api);

// No worker of another test shall be busy with what is started here.
afterAll(() =>
  query(
    `UPDATE work SET state = 'canceled', finished = now() WHERE state = 'waiting' AND kind <> 'organization.purge'`,
  ),
);

type Who = Role | 'integrator';

interface Row {
  readonly operation: string;
  readonly least: Who | 'any';
  readonly success: number;
  readonly body?: (ids: RecordIds) => object;
}

/**
 * Who may do what, in an order in which each step leaves what the next one needs. `integrator` is refused to everybody
 * else; for all others an integrator is the owner of its organization. Every row is also tried by people who have a
 * higher role in another organization, so that both checks are: whether any organization of the caller gives the role,
 * and whether the record's own does.
 */
const table: readonly Row[] = [
  { operation: 'getVersion', least: 'any', success: 200 },
  { operation: 'getMe', least: 'any', success: 200 },
  { operation: 'getEnums', least: 'any', success: 200 },
  { operation: 'listOrganizations', least: 'any', success: 200 },
  { operation: 'listAuditLogs', least: 'admin', success: 200 },
  {
    operation: 'changeDefaultEventDuration',
    least: 'integrator',
    success: 200,
    body: () => ({ duration: 7, unit: 'days' }),
  },
  { operation: 'createOrganization', least: 'integrator', success: 201, body: () => ({ name: unique('New') }) },

  {
    operation: 'createAsset',
    least: 'member',
    success: 201,
    body: ({ organization_id }) => ({ organization_id, asset_value: 'role.example.com', asset_type: 'domain' }),
  },
  { operation: 'getAsset', least: 'viewer', success: 200 },
  { operation: 'getOrganizationAsset', least: 'viewer', success: 200 },
  { operation: 'listAssets', least: 'viewer', success: 200 },
  {
    operation: 'createDomain',
    least: 'member',
    success: 201,
    body: ({ organization_id }) => ({ organization_id, value: 'roles.example.com' }),
  },
  { operation: 'getDomain', least: 'viewer', success: 200 },
  { operation: 'listDomains', least: 'viewer', success: 200 },
  { operation: 'verifyDomain', least: 'member', success: 200 },

  {
    operation: 'createBeacon',
    least: 'admin',
    success: 201,
    body: () => ({ name: 'second', allowed_cidrs: ['10.0.0.0/8'] }),
  },
  { operation: 'getBeacon', least: 'viewer', success: 200 },
  { operation: 'listBeacons', least: 'viewer', success: 200 },
  { operation: 'changeBeacon', least: 'admin', success: 200, body: () => ({ name: 'renamed' }) },

  {
    operation: 'createEvent',
    least: 'admin',
    success: 201,
    body: () => ({ name: 'E', event_type: 1, event_category: 1, start_date: '2098-01-01', end_date: '2099-01-01' }),
  },
  { operation: 'listEvents', least: 'viewer', success: 200 },
  { operation: 'getEvent', least: 'viewer', success: 200 },
  { operation: 'getEventScope', least: 'viewer', success: 200 },
  { operation: 'getScopeAsset', least: 'viewer', success: 200 },
  { operation: 'listEventFindings', least: 'viewer', success: 200 },
  {
    operation: 'recordFinding',
    least: 'member',
    success: 201,
    body: ({ asset_id }) => ({ title: unique('Found'), severity: 'low', asset_id }),
  },
  { operation: 'getFinding', least: 'viewer', success: 200 },
  { operation: 'listFindings', least: 'viewer', success: 200 },
  { operation: 'listFindingHistory', least: 'viewer', success: 200 },
  { operation: 'updateFindingStatus', least: 'member', success: 200, body: () => ({ status: 2 }) },
  { operation: 'updateFindingStatus', least: 'admin', success: 200, body: () => ({ status: 6, comment: 'accepted' }) },
  { operation: 'getRetestEvidence', least: 'viewer', success: 200 },
  { operation: 'startRetest', least: 'member', success: 202 },
  { operation: 'getRetest', least: 'viewer', success: 200 },
  { operation: 'getEventRetest', least: 'viewer', success: 200 },
  { operation: 'cancelRetest', least: 'member', success: 200 },
  { operation: 'startEventRetest', least: 'member', success: 202 },
  { operation: 'giveRetestVerdict', least: 'admin', success: 200, body: () => ({ result: 'inconclusive' }) },
  { operation: 'listEvidenceKeys', least: 'any', success: 200 },
  { operation: 'checkJob', least: 'viewer', success: 200, body: () => ({ url: 'https://nobodys.example.com/' }) },
  { operation: 'launchJob', least: 'member', success: 201, body: () => ({ url: `http://${launchable}/` }) },
  { operation: 'listJobs', least: 'viewer', success: 200 },
  { operation: 'getJob', least: 'viewer', success: 200 },
  { operation: 'getJobStatus', least: 'viewer', success: 200 },
  { operation: 'getJobSuccess', least: 'viewer', success: 200 },
  { operation: 'cancelJob', least: 'member', success: 200 },
  { operation: 'listReports', least: 'viewer', success: 200 },
  { operation: 'getReport', least: 'viewer', success: 200 },
  { operation: 'downloadReport', least: 'viewer', success: 200 },
  { operation: 'createReport', least: 'member', success: 202, body: () => ({ options: { format: 'html' } }) },

  { operation: 'removeScopeAsset', least: 'admin', success: 200 },
  { operation: 'addScopeAsset', least: 'admin', success: 201, body: ({ asset_id }) => ({ asset_id, in_scope: true }) },
  { operation: 'changeEventStatus', least: 'admin', success: 200, body: () => ({ status: 'canceled' }) },
  { operation: 'deleteDomain', least: 'admin', success: 200 },
  { operation: 'deleteAsset', least: 'admin', success: 200 },
  { operation: 'deleteBeacon', least: 'admin', success: 204 },
  { operation: 'deleteOrganization', least: 'integrator', success: 200 },
];

/** With credentials of their own: nobody's role. */
const otherwise = new Set(['reportBeacon']);

const ranks: readonly (Who | 'any')[] = ['any', 'viewer', 'member', 'admin', 'owner', 'integrator'];
const may = (who: Who, least: Who | 'any'): boolean => ranks.indexOf(who) >= ranks.indexOf(least);

interface Calling {
  readonly client: Client;
  readonly ids: RecordIds;
}

async function callerIn(who: Who, elsewhere?: Role): Promise<Calling> {
  const { client, ids } = who === 'integrator' ? await integrator() : await member(who, elsewhere);
  await make.asset(ids.organization_id, { value: `http://${launchable}/`, type: 'url' });
  return { client, ids };
}

async function integrator(): Promise<Calling> {
  const { client, integratorId } = await make.integrator({ machineEvents: true });
  return { client, ids: (await tenantWithRecords(make, integratorId)).ids };
}

/** In the organization of the records; and with another role in another one. */
async function member(role: Role, elsewhere?: Role): Promise<Calling> {
  const { ids } = await tenantWithRecords(make);
  const userId = await make.user();
  await make.membership(userId, ids.organization_id, role);
  if (elsewhere !== undefined) await make.membership(userId, (await make.organization()).id, elsewhere);
  return { client: (await make.person(userId)).client, ids };
}

function routeOf(operation: string): { method: string; path: string } {
  for (const [path, item] of Object.entries(currentContract().document.paths)) {
    for (const [method, found] of Object.entries(item)) {
      if ((found as { operationId: string }).operationId === operation) return { method: method.toUpperCase(), path };
    }
  }
  throw new Error(`${operation} is no operation`);
}

it('the table of roles lists every operation', () => {
  const all = Object.values(currentContract().document.paths).flatMap((item) =>
    Object.values(item).map((operation) => (operation as { operationId: string }).operationId),
  );
  expect([...new Set([...table.map(({ operation }) => operation), ...otherwise])].sort()).toEqual(all.sort());
});

/** Sends every row of the table; answers those whose answer is not what this role allows. */
async function mistakesFor(who: Who, { client, ids }: Calling): Promise<string[]> {
  const wrong: string[] = [];
  for (const { operation, least, success, body } of table) {
    const { method, path } = routeOf(operation);
    const filled = path.replace(/\{(\w+)\}/g, (_match, name: keyof RecordIds) => String(ids[name]));
    const filter = operation === 'listAuditLogs' ? `?organization_id=${ids.organization_id}` : '';
    const { status, text } = await client.send(method, filled + filter, body?.(ids));
    const expected = may(who, least) ? success : 403;
    if (status !== expected) wrong.push(`${operation}: ${status} and not ${expected}: ${text}`);
  }
  return wrong;
}

it.each(['viewer', 'member', 'admin', 'owner', 'integrator'] as const)(
  'the role %s is allowed exactly the operations in the table',
  async (who) => expect(await mistakesFor(who, await callerIn(who))).toEqual([]),
);

it('refuses a caller who has the role in no organization before it reads the request', async () => {
  const { client } = await callerIn('viewer');
  const wrong = { nonsense: true };
  for (const path of ['/v1/assets/', '/v1/jobs/launch', `/v1/findings/${unknownIds.finding_id}/status`]) {
    expect((await client.post(path, wrong)).body.description).toBe(
      'This needs the role member or above in an organization.',
    );
  }
});

it.each([
  ['viewer', 'member'],
  ['viewer', 'owner'],
  ['member', 'admin'],
  ['member', 'owner'],
  ['admin', 'owner'],
  ['owner', 'viewer'],
] as const)(
  "the role %s in the record's organization decides although the caller has the role %s in another",
  async (here, elsewhere) => expect(await mistakesFor(here, await callerIn(here, elsewhere))).toEqual([]),
);
