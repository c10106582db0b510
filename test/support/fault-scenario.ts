import { postUntilAcknowledged } from './retrying-requests';
import { type RunningApi, startApi } from './api';
import { Client } from './client';
import { useContract } from './contract';
import type { QueriedDatabase } from './database';
import type { SeededRandom } from '../../src/engine/testing/seeded-random';
import { eventually } from './eventually';
import { Factories } from './factories';
import { VulnerableSite } from './vulnerable-site';

export interface TestTarget {
  readonly organizationId: number;
  readonly assetId: number;
  readonly site: VulnerableSite;
}

/** A finding with a check, and the expected result of its retest. */
export interface TestedFinding {
  readonly id: number;
  readonly organizationId: number;
  readonly result: 'fixed' | 'still_vulnerable';
  readonly from: number;
  readonly to: number;
}

/** The status of a finding before its retest, and the expected status after it. */
const expectedTransitions = [
  { result: 'fixed', from: 1, to: 5 },
  { result: 'fixed', from: 4, to: 5 },
  { result: 'still_vulnerable', from: 5, to: 1 },
  { result: 'still_vulnerable', from: 1, to: 1 },
] as const;

const organizations = 4;
const answerMs = 40;

/** On Linux each site has its own loopback address, because the engine limits its request rate for each address. */
const addressOf = (index: number): string => (process.platform === 'linux' ? `127.0.1.${index + 1}` : '127.0.0.1');

/** The test data of a deployment under faults, and the operations that it has acknowledged. */
export class FaultScenario {
  /** For each organization: a site that is fixed later, one that stays vulnerable, and one for the jobs. */
  readonly sites = Array.from(
    { length: 3 * organizations },
    (_, index) => new VulnerableSite(addressOf(index), answerMs),
  );
  readonly findings: TestedFinding[] = [];
  readonly jobTargets: TestTarget[] = [];
  readonly verificationTargets: (TestTarget & { readonly slug: string })[] = [];
  readonly acknowledgedRetests = new Map<string, TestedFinding>();
  /** The URL of each job by its UUID. */
  readonly acknowledgedJobs = new Map<string, string>();
  readonly acknowledgedVerifications: number[] = [];
  readonly acknowledgedPurges: number[] = [];
  readonly acknowledgedDomains: number[] = [];
  private readonly clients = new Map<number, Client>();
  private integrator: Client | undefined;

  constructor(
    private readonly deployment: { readonly api: { readonly url: string }; readonly postgres: QueriedDatabase },
  ) {}

  get egressAllow(): string {
    return this.sites.map(({ endpoint }) => endpoint).join(',');
  }

  get integratorClient(): Client {
    if (this.integrator === undefined) throw new Error('call prepare() first');
    return this.integrator;
  }

  readonly clientOf = (organizationId: number): Client => {
    const client = this.clients.get(organizationId);
    if (client === undefined) throw new Error(`there is no client for organization ${organizationId}`);
    return client;
  };

  /** The service waits a minute before it looks up a new domain. */
  readonly makeDue = (domainId: number): Promise<void> =>
    eventually(
      async () =>
        void (await this.deployment.postgres.query('UPDATE domains SET next_lookup = now() WHERE id = $1', [domainId])),
      60_000,
    );

  /** Creates the data through an API in this process, which it closes at the end. */
  async prepare(retests: number, random: SeededRandom): Promise<void> {
    await Promise.all(this.sites.map((site) => site.start()));
    const api = await startApi({ DATABASE_URL: this.deployment.postgres.url(), EGRESS_ALLOW: this.egressAllow });
    useContract(api.app);
    try {
      const { credentials } = await new Factories(api).integrator();
      this.integrator = new Client(() => this.deployment.api.url, credentials);
      for (let index = 0; index < organizations; index++) await this.addOrganization(api, index);
      await this.addFindings(api, retests, random);
    } finally {
      await api.app.close();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.sites.map((site) => site.stop()));
  }

  private async addOrganization(api: RunningApi, index: number): Promise<void> {
    const make = new Factories(api);
    const { id: organizationId } = await make.organization();
    const { credentials, client } = await make.member(organizationId, 'admin');
    this.clients.set(organizationId, new Client(() => this.deployment.api.url, credentials));
    const { id: eventId, slug } = await make.event(organizationId);
    for (const kind of [0, 1, 2]) {
      const site = this.sites[3 * index + kind];
      if (site === undefined) throw new Error('every organization has three sites');
      const { id: assetId } = await make.asset(organizationId, { value: site.url, type: 'url' });
      await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: assetId, in_scope: true });
      const target = { organizationId, assetId, site };
      if (kind < 2) this.verificationTargets.push({ ...target, slug });
      else this.jobTargets.push(target);
    }
    await this.deployment.postgres.query(`UPDATE events SET status = 'running' WHERE id = $1`, [eventId]);
  }

  private async addFindings(api: RunningApi, retests: number, random: SeededRandom): Promise<void> {
    const make = new Factories(api);
    for (let index = 0; index < retests; index++) {
      const transition = random.pick(expectedTransitions);
      const target = random.pick(
        this.verificationTargets.filter((_, at) => at % 2 === (transition.result === 'fixed' ? 0 : 1)),
      );
      const { organizationId, assetId, site } = target;
      const { id } = await make.finding(organizationId, {
        asset: { id: assetId, value: site.url, tier: null },
        checkId: 'missing-nosniff',
        checkDefinition: { location: `${site.url}finding-${index}` },
      });
      await this.deployment.postgres.query('UPDATE findings SET status = $2 WHERE id = $1', [id, transition.from]);
      this.findings.push({ id, organizationId, ...transition });
    }
  }

  /** Lets a worker record the baseline of every vulnerable site, copies it to all its findings, then fixes half of the sites. */
  async fixHalfOfTheSites(): Promise<void> {
    const { postgres } = this.deployment;
    for (const { organizationId, slug, assetId, site } of this.verificationTargets) {
      const check = { id: 'missing-nosniff', location: site.url };
      const body = { title: 'Baseline', severity: 'low', asset_id: assetId, check };
      await postUntilAcknowledged(this.clientOf(organizationId), `/v1/events/${slug}/findings/`, body);
    }
    const all = [this.verificationTargets.length];
    const recorded = 'SELECT 1 FROM finding_baselines HAVING count(*) = $1';
    await eventually(async () => expect(await postgres.query(recorded, all)).not.toEqual([]));
    await postgres.query(`
      INSERT INTO finding_baselines (finding_id, organization_id, check_definition, baseline)
      SELECT f.id, f.organization_id, f.check_definition, b.baseline
      FROM finding_baselines b JOIN findings known ON known.id = b.finding_id
      JOIN findings f ON f.asset_id = known.asset_id AND f.id <> known.id`);
    this.verificationTargets.forEach(({ site }, index) => {
      if (index % 2 === 0) site.state = 'fixed';
    });
  }
}
