import { Injectable } from '@nestjs/common';
import { MAX_COUNT, type Page, type Slice } from '../../kernel/page';
import type { Scope } from '../../platform/api/scope';
import { AssetsService } from '../assets';
import { OrganizationsService } from '../organizations';
import type { AssetChangeRow } from './data/asset-change.entity';
import {
  AssetChangesRepository,
  type ChangeFilter,
  type KindCount,
  type Period,
} from './data/asset-changes.repository';
import {
  type ExpiringCertificate,
  type HostWithPorts,
  ObservedHostsRepository,
} from './data/observed-hosts.repository';

/** In one list. */
const MAX_EXPIRING = 10_000;
/** In a report. */
const MAX_SUMMARIZED = 100_000;
const MAX_IMPORTANT = 100;

export interface ChangeSummary {
  readonly kinds: readonly KindCount[];
  readonly important: readonly AssetChangeRow[];
}

/** What observations have shown: hosts with their ports, and changes. */
@Injectable()
export class ObservedHosts {
  constructor(
    private readonly hosts: ObservedHostsRepository,
    private readonly changes: AssetChangesRepository,
    private readonly assets: AssetsService,
    private readonly organizations: OrganizationsService,
  ) {}

  async listFor(scope: Scope, assetId: number, page: Page): Promise<Slice<HostWithPorts>> {
    const { id } = await this.assets.get(scope, assetId);
    return this.hosts.listForVisible(id, page);
  }

  /** The newest ones that are not gone, and how many more there are. */
  async listPresentFor(
    scope: Scope,
    assetId: number,
    most: number,
  ): Promise<{ hosts: HostWithPorts[]; further: number }> {
    const { id } = await this.assets.get(scope, assetId);
    const page = { page: 1, perPage: most, isCounted: true };
    const { items: hosts, total = hosts.length } = await this.hosts.listForVisible(id, page, { isPresent: true });
    return { hosts, further: total - hosts.length };
  }

  async listChangesOfAsset(
    scope: Scope,
    assetId: number,
    filter: Omit<ChangeFilter, 'organizationId' | 'assetId'>,
    page: Page,
  ): Promise<Slice<AssetChangeRow>> {
    const { organizationId } = await this.assets.get(scope, assetId);
    return this.changes.listForVisible({ ...filter, organizationId, assetId }, page);
  }

  async listChanges(scope: Scope, filter: ChangeFilter, page: Page): Promise<Slice<AssetChangeRow>> {
    await this.organizations.get(scope, filter.organizationId);
    return this.changes.listForVisible(filter, page);
  }

  /** Of each asset, the certificate that expires first, the first of all before the others. */
  listExpiring(scope: Scope, organizationId: number): Promise<ExpiringCertificate[]> {
    return this.hosts.listExpiring(scope, organizationId, MAX_EXPIRING);
  }

  /** How many changes of each kind there are since then, the most frequent first; only the newest ones count if there are very many. */
  async countChanges(scope: Scope, organizationId: number, since: Date): Promise<KindCount[]> {
    const { id } = await this.organizations.get(scope, organizationId);
    return this.changes.countKindsOfVisible(id, { from: since }, MAX_COUNT + 1);
  }

  /** The same of a period, with the most important ones. */
  async summarizeChanges(scope: Scope, organizationId: number, period: Required<Period>): Promise<ChangeSummary> {
    const { id } = await this.organizations.get(scope, organizationId);
    const kinds = await this.changes.countKindsOfVisible(id, period, MAX_SUMMARIZED);
    const important = await this.changes.listImportantOfVisible(id, period, MAX_SUMMARIZED, MAX_IMPORTANT);
    return { kinds, important };
  }
}
