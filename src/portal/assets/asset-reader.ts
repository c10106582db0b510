import { Injectable } from '@nestjs/common';
import type { Slice } from '../../kernel/page';
import { type AssetAccount, AssetAccountsService } from '../../modules/accounts';
import {
  type AcceptedCheckView,
  AcceptedChecksService,
  type AssetDetails,
  AssetDetailsService,
  type AssetWithTotals,
  DomainsService,
} from '../../modules/assets';
import { type Beacon, BeaconsService } from '../../modules/beacons';
import { FindingOverviewService, type WeeksAt } from '../../modules/findings';
import { type Job, JobsService } from '../../modules/jobs';
import { type BeaconName, BeaconNames } from '../../modules/retests';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import type { OwnerOption } from '../frame/owner-select';
import type { Place } from '../http/places';
import { ObservationReader, type ObservationView } from '../observations/observation-reader';
import type { AssetsQuery } from './assets.requests';

/** Of an address, whose owner cannot be verified, it is null. */
type Verification = boolean | null;

interface AssetRowView extends AssetWithTotals {
  readonly lastJob: Job | undefined;
  readonly isVerified: Verification;
}

export interface AssetsView {
  readonly organizationId: number;
  readonly slice: Slice<AssetRowView>;
  readonly beacons: readonly Beacon[];
  /** Those that assets of the page are behind, by id. */
  readonly beaconNames: ReadonlyMap<number, BeaconName>;
  readonly owners: readonly OwnerOption[];
  readonly mayChange: boolean;
  /** An admin. */
  readonly mayDecide: boolean;
}

export interface AssetPageView {
  readonly organizationId: number;
  readonly details: AssetDetails;
  readonly observation: ObservationView;
  /** Null if the asset has too many findings. */
  readonly overTime: WeeksAt | null;
  readonly jobs: readonly Job[];
  readonly accepted: readonly AcceptedCheckView[];
  /** The ids of the checks that are accepted here by decisions about many assets. */
  readonly acceptedOnMany: readonly string[];
  readonly accounts: readonly AssetAccount[];
  readonly isVerified: Verification;
  readonly owners: readonly OwnerOption[];
  readonly mayChange: boolean;
  /** Accepts checks, and deletes the asset. */
  readonly mayDecide: boolean;
}

const MAX_JOBS = 10;
const MAX_BEACONS = 50;

@Injectable()
export class AssetReader {
  constructor(
    private readonly details: AssetDetailsService,
    private readonly overviews: FindingOverviewService,
    private readonly domains: DomainsService,
    private readonly accepted: AcceptedChecksService,
    private readonly accounts: AssetAccountsService,
    private readonly jobs: JobsService,
    private readonly beacons: BeaconsService,
    private readonly beaconNames: BeaconNames,
    private readonly observations: ObservationReader,
  ) {}

  async list(caller: Caller, organizationId: number, query: AssetsQuery): Promise<Omit<AssetsView, 'owners'>> {
    const { scope } = caller;
    const expiring =
      query.certificate && (await this.observations.assetsWithExpiringCertificate({ caller, organizationId }));
    const filter = { ...query.filterFor(caller), ids: expiring };
    const { items, ...slice } = await this.details.listFor(scope, organizationId, filter, query.slice, query.order);
    const ids = items.map(({ asset }) => asset.id);
    const lastJobs = new Map((await this.jobs.newestOf(scope, ids, 1)).map((job) => [job.assetId, job]));
    const hosts = items.flatMap(({ asset }) => hostOf(asset) ?? []);
    const verified = await this.domains.verifiedAmong(organizationId, hosts);
    const rows = items.map((item) => {
      const host = hostOf(item.asset);
      return { ...item, lastJob: lastJobs.get(item.asset.id), isVerified: host === null ? null : verified.has(host) };
    });
    const beacons = await this.beacons.list(scope, organizationId, { page: 1, perPage: MAX_BEACONS });
    return {
      organizationId,
      slice: { ...slice, items: rows },
      beacons: beacons.items,
      beaconNames: await this.namesOf(scope, organizationId, items),
      mayChange: caller.hasRole('member', organizationId),
      mayDecide: caller.hasRole('admin', organizationId),
    };
  }

  private namesOf(scope: Scope, organizationId: number, items: readonly AssetWithTotals[]) {
    const ids = items.map(({ asset }) => asset.beaconId);
    return this.beaconNames.namesOf(scope, organizationId, ids);
  }

  async read(place: Place<'asset'>): Promise<Omit<AssetPageView, 'owners'>> {
    const { caller, organizationId } = place;
    const { id } = place.asset;
    const details = await this.details.get(caller.scope, id);
    const host = hostOf(details.asset);
    return {
      organizationId,
      details,
      observation: await this.observations.read(place),
      overTime: await this.overviews.weeksOfAsset(caller.scope, id),
      jobs: await this.jobs.newestOf(caller.scope, [id], MAX_JOBS),
      accepted: await this.accepted.list(caller.scope, id),
      acceptedOnMany: await this.accepted.checkIdsOfMany(caller.scope, id),
      accounts: await this.accounts.list(caller.scope, id),
      isVerified: host === null ? null : await this.domains.isVerifiedFor(organizationId, host),
      mayChange: caller.hasRole('member', organizationId),
      mayDecide: caller.hasRole('admin', organizationId),
    };
  }
}

/** The name of a domain or URL, whose owner a TXT record verifies. */
function hostOf({ type, value }: { readonly type: string; readonly value: string }): string | null {
  if (type === 'domain') return value;
  if (type !== 'url' || !URL.canParse(value)) return null;
  const { hostname } = new URL(value);
  return /^[\d.]+$|^\[/.test(hostname) ? null : hostname;
}
