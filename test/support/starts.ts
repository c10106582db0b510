import { acknowledged, deleted } from './accepted';
import type { Client } from './client';
import type { Dice } from './dice';
import { unique, uniqueDomain } from './factories';
import type { FaultScene, TestedFinding } from './fault-scene';

/** Something that is accepted now and done later. */
export interface Start {
  readonly kind: 'retest' | 'job' | 'look' | 'purge' | 'domain';
  /** Settles when it is acknowledged. */
  readonly send: () => Promise<void>;
  /** Whether it has come to its end, as its owner is shown it. */
  readonly isOver: () => Promise<boolean>;
}

/** In hundredths of all starts. */
const shares: Readonly<Record<Exclude<Start['kind'], 'retest'>, number>> = { job: 22, look: 10, purge: 5, domain: 3 };

const has = async (client: Client, filter: string): Promise<boolean> =>
  (await client.get(`/v1/audit-logs/?${filter}`)).body.total > 0;

export const retestsAmong = (starts: number): number =>
  starts - Object.values(shares).reduce((all, share) => all + Math.round((starts * share) / 100), 0);

/** All kinds, mixed; of the retests one a finding. */
export function startsIn(scene: FaultScene, total: number, dice: Dice): Start[] {
  const makers = {
    job: () => job(scene, dice),
    look: () => look(scene, dice),
    purge: () => purge(scene),
    domain: () => domain(scene, dice),
  };
  const others = Object.entries(shares).flatMap(([kind, share]) =>
    Array.from({ length: Math.round((total * share) / 100) }, makers[kind as keyof typeof makers]),
  );
  return dice.shuffled([...scene.findings.map((finding) => retest(scene, finding)), ...others]);
}

function retest({ clientOf, acknowledgedRetests }: FaultScene, finding: TestedFinding): Start {
  const client = clientOf(finding.organizationId);
  const path = `/v1/findings/${finding.id}/retest`;
  return {
    kind: 'retest',
    send: async () => void acknowledgedRetests.set((await acknowledged(client, path)).body.uuid, finding),
    isOver: async () => ['finished', 'error'].includes((await client.get(path)).body.status),
  };
}

function job({ clientOf, jobPlaces, acknowledgedJobs }: FaultScene, dice: Dice): Start {
  const { organizationId, site } = dice.pick(jobPlaces);
  const client = clientOf(organizationId);
  let uuid = '';
  return {
    kind: 'job',
    send: async () => {
      ({ uuid } = (await acknowledged(client, '/v1/jobs/launch', { url: site.url })).body);
      acknowledgedJobs.set(uuid, site.url);
    },
    isOver: async () => ['FINISHED', 'ERROR'].includes((await client.get(`/v1/jobs/${uuid}/status`)).body.status),
  };
}

/** A finding that is recorded with a check: it is looked at once. */
function look({ clientOf, lookPlaces, acknowledgedLooks }: FaultScene, dice: Dice): Start {
  const { organizationId, slug, assetId, site } = dice.pick(lookPlaces);
  const client = clientOf(organizationId);
  const location = `${site.url}${unique('page').replace(' ', '-')}`;
  let id = 0;
  return {
    kind: 'look',
    send: async () => {
      const body = { title: location, severity: 'low', asset_id: assetId, check: { id: 'missing-nosniff', location } };
      ({ id } = (await acknowledged(client, `/v1/events/${slug}/findings/`, body)).body);
      acknowledgedLooks.push(id);
    },
    isOver: () => has(client, `operation=finding.baseline&resource_id=${id}`),
  };
}

function purge({ partner, acknowledgedPurges }: FaultScene): Start {
  let id = 0;
  return {
    kind: 'purge',
    send: async () => {
      ({ id } = (await acknowledged(partner, '/v1/organizations/', { name: unique('Purged') })).body);
      await deleted(partner, `/v1/organizations/${id}/`);
      acknowledgedPurges.push(id);
    },
    isOver: () => has(partner, `organization_id=${id}&operation=organization.purge`),
  };
}

/** Looked up by the clock, which hands it to the workers. */
function domain({ clientOf, jobPlaces, acknowledgedDomains, makeDue }: FaultScene, dice: Dice): Start {
  const { organizationId } = dice.pick(jobPlaces);
  const client = clientOf(organizationId);
  const value = uniqueDomain();
  let path = '';
  return {
    kind: 'domain',
    send: async () => {
      const body = { organization_id: organizationId, value };
      const { id } = (await acknowledged(client, '/v1/domains/', body)).body;
      path = `/v1/organizations/${organizationId}/domains/${id}`;
      acknowledgedDomains.push(id);
      await makeDue(id);
    },
    isOver: async () => (await client.get(path)).body.last_checked !== null,
  };
}
