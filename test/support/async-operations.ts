import { postUntilAcknowledged, deleteUntilAcknowledged } from './retrying-requests';
import type { Client } from './client';
import type { SeededRandom } from '../../src/engine/testing/seeded-random';
import { unique, uniqueDomain } from './factories';
import type { FaultScenario, TestedFinding } from './fault-scenario';

/** A request that is acknowledged at once and whose work ends later. */
export interface AsyncOperation {
  readonly kind: 'retest' | 'job' | 'verification' | 'purge' | 'domain';
  /** Resolves when the API has acknowledged it. */
  readonly send: () => Promise<void>;
  /** Whether it has ended, as the API shows it. */
  readonly isOver: () => Promise<boolean>;
}

/** Of all operations, in percent; the others are retests. */
const percentages: Readonly<Record<Exclude<AsyncOperation['kind'], 'retest'>, number>> = {
  job: 22,
  verification: 10,
  purge: 5,
  domain: 3,
};

const has = async (client: Client, filter: string): Promise<boolean> =>
  (await client.get(`/v1/audit-logs/?${filter}`)).body.total > 0;

export const retestCount = (operations: number): number =>
  operations - Object.values(percentages).reduce((all, share) => all + Math.round((operations * share) / 100), 0);

/** All kinds in random order, with one retest for each finding. */
export function asyncOperations(scenario: FaultScenario, total: number, random: SeededRandom): AsyncOperation[] {
  const factories = {
    job: () => job(scenario, random),
    verification: () => verification(scenario, random),
    purge: () => purge(scenario),
    domain: () => domain(scenario, random),
  };
  const others = Object.entries(percentages).flatMap(([kind, share]) =>
    Array.from({ length: Math.round((total * share) / 100) }, factories[kind as keyof typeof factories]),
  );
  return random.shuffled([...scenario.findings.map((finding) => retest(scenario, finding)), ...others]);
}

function retest({ clientOf, acknowledgedRetests }: FaultScenario, finding: TestedFinding): AsyncOperation {
  const client = clientOf(finding.organizationId);
  const path = `/v1/findings/${finding.id}/retest`;
  return {
    kind: 'retest',
    send: async () => void acknowledgedRetests.set((await postUntilAcknowledged(client, path)).body.uuid, finding),
    isOver: async () => ['finished', 'error'].includes((await client.get(path)).body.status),
  };
}

function job({ clientOf, jobTargets, acknowledgedJobs }: FaultScenario, random: SeededRandom): AsyncOperation {
  const { organizationId, site } = random.pick(jobTargets);
  const client = clientOf(organizationId);
  let uuid = '';
  return {
    kind: 'job',
    send: async () => {
      ({ uuid } = (await postUntilAcknowledged(client, '/v1/jobs/launch', { url: site.url })).body);
      acknowledgedJobs.set(uuid, site.url);
    },
    isOver: async () => ['FINISHED', 'ERROR'].includes((await client.get(`/v1/jobs/${uuid}/status`)).body.status),
  };
}

/** Recording a finding with a check starts its initial verification. */
function verification(
  { clientOf, verificationTargets, acknowledgedVerifications }: FaultScenario,
  random: SeededRandom,
): AsyncOperation {
  const { organizationId, slug, assetId, site } = random.pick(verificationTargets);
  const client = clientOf(organizationId);
  const location = `${site.url}${unique('page').replace(' ', '-')}`;
  let id = 0;
  return {
    kind: 'verification',
    send: async () => {
      const body = { title: location, severity: 'low', asset_id: assetId, check: { id: 'missing-nosniff', location } };
      ({ id } = (await postUntilAcknowledged(client, `/v1/events/${slug}/findings/`, body)).body);
      acknowledgedVerifications.push(id);
    },
    isOver: () => has(client, `operation=finding.baseline&resource_id=${id}`),
  };
}

function purge({ integratorClient, acknowledgedPurges }: FaultScenario): AsyncOperation {
  let id = 0;
  return {
    kind: 'purge',
    send: async () => {
      ({ id } = (await postUntilAcknowledged(integratorClient, '/v1/organizations/', { name: unique('Purged') })).body);
      await deleteUntilAcknowledged(integratorClient, `/v1/organizations/${id}/`);
      acknowledgedPurges.push(id);
    },
    isOver: () => has(integratorClient, `organization_id=${id}&operation=organization.purge`),
  };
}

/** The clock schedules the DNS lookup of a domain, and a worker does it. */
function domain(
  { clientOf, jobTargets, acknowledgedDomains, makeDue }: FaultScenario,
  random: SeededRandom,
): AsyncOperation {
  const { organizationId } = random.pick(jobTargets);
  const client = clientOf(organizationId);
  const value = uniqueDomain();
  let path = '';
  return {
    kind: 'domain',
    send: async () => {
      const body = { organization_id: organizationId, value };
      const { id } = (await postUntilAcknowledged(client, '/v1/domains/', body)).body;
      path = `/v1/organizations/${organizationId}/domains/${id}`;
      acknowledgedDomains.push(id);
      await makeDue(id);
    },
    isOver: async () => (await client.get(path)).body.last_checked !== null,
  };
}
