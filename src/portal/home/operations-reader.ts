import { Injectable } from '@nestjs/common';
import type { Slice } from '../../kernel/page';
import { type Asset, AssetsService, type Domain, DomainsService } from '../../modules/assets';
import { type Beacon, BeaconsService } from '../../modules/beacons';
import { type KeyOfMember, MemberKeysService } from '../../modules/identity';
import { type Import, ImportsService } from '../../modules/imports';
import { type Job, JobsService } from '../../modules/jobs';
import { ObservedHosts } from '../../modules/observations';
import { type Webhook, WebhooksService } from '../../modules/webhooks';
import { recently } from '../frame/recently';
import type { Place } from '../http/places';

/** An asset with the first end of a certificate. */
export interface ExpiringAsset {
  readonly asset: Asset;
  readonly until: string;
  readonly port: number;
}

/** What has failed or stopped, each with its first records and their number. */
export interface OperationsView {
  readonly gates: Slice<Job>;
  readonly imports: Slice<Import>;
  readonly beacons: Slice<Beacon>;
  readonly certificates: Slice<ExpiringAsset>;
  readonly domains: Slice<Domain>;
  /** For admins. */
  readonly webhooks: Webhook[];
  /** Keys that had no limit before an upgrade, for owners. */
  readonly memberKeys: KeyOfMember[];
}

@Injectable()
export class OperationsReader {
  constructor(
    private readonly jobs: JobsService,
    private readonly imports: ImportsService,
    private readonly beacons: BeaconsService,
    private readonly hosts: ObservedHosts,
    private readonly assets: AssetsService,
    private readonly domains: DomainsService,
    private readonly webhooks: WebhooksService,
    private readonly memberKeys: MemberKeysService,
  ) {}

  async read({ caller, organizationId }: Place, limit: number): Promise<OperationsView> {
    const { scope } = caller;
    const first = { page: 1, perPage: limit, isCounted: true };
    const since = recently();
    const [gates, imports, beacons, domains, expiring, webhooks, memberKeys] = await Promise.all([
      this.jobs.listFailed(scope, organizationId, since, first),
      this.imports.listFailed(scope, organizationId, since, first),
      this.beacons.list(scope, organizationId, first, true),
      this.domains.listUnproven(scope, organizationId, first),
      this.hosts.listExpiring(scope, organizationId),
      this.webhooks.listStopped(caller, organizationId),
      this.memberKeys.listNotShown(caller, organizationId),
    ]);
    const shown = expiring.slice(0, limit);
    const assets = await this.assets.listByIds(
      scope,
      shown.map(({ assetId }) => assetId),
    );
    const items = shown.flatMap(({ assetId, ...end }) => {
      const asset = assets.find(({ id }) => id === assetId);
      return asset === undefined ? [] : [{ asset, ...end }];
    });
    const certificates = { items, total: expiring.length };
    return { gates, imports, beacons, domains, certificates, webhooks, memberKeys };
  }
}
