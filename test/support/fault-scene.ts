import { acknowledged } from './accepted';
import { type RunningApi, startApi } from './api';
import { Client } from './client';
import { useContract } from './contract';
import type { Dice } from './dice';
import { eventually } from './eventually';
import { Factories } from './factories';
import type { FaultStage } from './fault-stage';
import { WeakSite } from './weak-site';

export interface Place {
  readonly organizationId: number;
  readonly assetId: number;
  readonly site: WeakSite;
}

/** A finding with a check, and what a retest of it has to come to. */
export interface TestedFinding {
  readonly id: number;
  readonly organizationId: number;
  readonly result: 'fixed' | 'still_vulnerable';
  readonly from: number;
  readonly to: number;
}

/** Which statuses findings have before their retest, and what becomes of them. */
const moves = [
  { result: 'fixed', from: 1, to: 5 },
  { result: 'fixed', from: 4, to: 5 },
  { result: 'still_vulnerable', from: 5, to: 1 },
  { result: 'still_vulnerable', from: 1, to: 1 },
] as const;

const organizations = 4;
const answerMs = 40;

/** Every site at an address of its own, where the system has more than one, since the engine is gentle with each. */
const addressOf = (index: number): string => (process.platform === 'linux' ? `127.0.1.${index + 1}` : '127.0.0.1');

/** Who has what in a deployment that is about to have faults, and what was acknowledged since. */
export class FaultScene {
  /** By organization a site that gets mended, one that stays weak, and one for the jobs alone. */
  readonly sites = Array.from({ length: 3 * organizations }, (_, index) => new WeakSite(addressOf(index), answerMs));
  readonly findings: TestedFinding[] = [];
  readonly jobPlaces: Place[] = [];
  readonly lookPlaces: (Place & { readonly slug: string })[] = [];
  readonly acknowledgedRetests = new Map<string, TestedFinding>();
  /** With the URL of each. */
  readonly acknowledgedJobs = new Map<string, string>();
  readonly acknowledgedLooks: number[] = [];
  readonly acknowledgedPurges: number[] = [];
  readonly acknowledgedDomains: number[] = [];
  private readonly clients = new Map<number, Client>();
  private maker: Client | undefined;

  constructor(private readonly stage: FaultStage) {}

  get egressAllow(): string {
    return this.sites.map(({ endpoint }) => endpoint).join(',');
  }

  get partner(): Client {
    if (this.maker === undefined) throw new Error('the scene has not been set');
    return this.maker;
  }

  readonly clientOf = (organizationId: number): Client => {
    const client = this.clients.get(organizationId);
    if (client === undefined) throw new Error(`nobody acts for organization ${organizationId}`);
    return client;
  };

  /** A new domain is left alone for a minute. */
  readonly makeDue = (domainId: number): Promise<void> =>
    eventually(
      async () =>
        void (await this.stage.postgres.query('UPDATE domains SET next_lookup = now() WHERE id = $1', [domainId])),
      60_000,
    );

  /** With an API in this process, which is gone when it is set. */
  async set(retests: number, dice: Dice): Promise<void> {
    await Promise.all(this.sites.map((site) => site.start()));
    const api = await startApi({ DATABASE_URL: this.stage.postgres.url(), EGRESS_ALLOW: this.egressAllow });
    useContract(api.app);
    try {
      const { credentials } = await new Factories(api).integrator();
      this.maker = new Client(() => this.stage.api.url, credentials);
      for (let index = 0; index < organizations; index++) await this.addOrganization(api, index);
      await this.addFindings(api, retests, dice);
    } finally {
      await api.app.close();
    }
  }

  async leave(): Promise<void> {
    await Promise.all(this.sites.map((site) => site.stop()));
  }

  private async addOrganization(api: RunningApi, index: number): Promise<void> {
    const make = new Factories(api);
    const { id: organizationId } = await make.organization();
    const { credentials, client } = await make.member(organizationId, 'admin');
    this.clients.set(organizationId, new Client(() => this.stage.api.url, credentials));
    const { id: eventId, slug } = await make.event(organizationId);
    for (const kind of [0, 1, 2]) {
      const site = this.sites[3 * index + kind];
      if (site === undefined) throw new Error('every organization has three sites');
      const { id: assetId } = await make.asset(organizationId, { value: site.url, type: 'url' });
      await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: assetId, in_scope: true });
      const place = { organizationId, assetId, site };
      if (kind < 2) this.lookPlaces.push({ ...place, slug });
      else this.jobPlaces.push(place);
    }
    await this.stage.postgres.query(`UPDATE events SET status = 'running' WHERE id = $1`, [eventId]);
  }

  private async addFindings(api: RunningApi, retests: number, dice: Dice): Promise<void> {
    const make = new Factories(api);
    for (let index = 0; index < retests; index++) {
      const move = dice.pick(moves);
      const place = dice.pick(this.lookPlaces.filter((_, at) => at % 2 === (move.result === 'fixed' ? 0 : 1)));
      const { organizationId, assetId, site } = place;
      const { id } = await make.finding(organizationId, {
        asset: { id: assetId, value: site.url, tier: null },
        checkId: 'missing-nosniff',
        checkDefinition: { location: `${site.url}finding-${index}` },
      });
      await this.stage.postgres.query('UPDATE findings SET status = $2 WHERE id = $1', [id, move.from]);
      this.findings.push({ id, organizationId, ...move });
    }
  }

  /**
   * What the sites were like while they were all weak, seen by a worker at one finding of each, is so for every page of
   * theirs; from then on half of them are mended.
   */
  async mend(): Promise<void> {
    const { postgres } = this.stage;
    for (const { organizationId, slug, assetId, site } of this.lookPlaces) {
      const check = { id: 'missing-nosniff', location: site.url };
      const body = { title: 'The first', severity: 'low', asset_id: assetId, check };
      await acknowledged(this.clientOf(organizationId), `/v1/events/${slug}/findings/`, body);
    }
    const all = [this.lookPlaces.length];
    await postgres.eventuallyHas('SELECT 1 FROM finding_baselines HAVING count(*) = $1', all, 60_000);
    await postgres.query(`
      INSERT INTO finding_baselines (finding_id, organization_id, check_definition, baseline)
      SELECT f.id, f.organization_id, f.check_definition, b.baseline
      FROM finding_baselines b JOIN findings known ON known.id = b.finding_id
      JOIN findings f ON f.asset_id = known.asset_id AND f.id <> known.id`);
    this.lookPlaces.forEach(({ site }, index) => {
      if (index % 2 === 0) site.mood = 'mended';
    });
  }
}
