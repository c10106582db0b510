import { Injectable } from '@nestjs/common';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import type { Scope } from '../../platform/api/scope';
import {
  type AssetTotals,
  FindingLists,
  FindingsService,
  NO_FINDINGS,
  type PresentedFinding,
  totalsFrom,
} from '../findings';
import { OrganizationsService } from '../organizations';
import type { AssetTechnology } from './data/asset-technology.entity';
import type { AssetFilter } from './data/asset-filter';
import { type AssetWithOrganization, AssetsRepository, type ListedAsset } from './data/assets.repository';
import type { AssetOrder } from './data/asset-orders';
import { assetNotFound } from './domain/asset.errors';

export interface AssetWithTotals {
  readonly asset: ListedAsset;
  readonly totals: AssetTotals;
}

export interface AssetDetails extends AssetWithTotals {
  readonly asset: AssetWithOrganization;
  readonly technologies: AssetTechnology[];
  readonly findings: PresentedFinding[];
}

/** The details of an asset contain its newest findings. The totals count all of them. */
const MAX_FINDINGS = 100;

/** Reads assets with their findings, totals and technologies. */
@Injectable()
export class AssetDetailsService {
  constructor(
    private readonly assets: AssetsRepository,
    private readonly findings: FindingsService,
    private readonly lists: FindingLists,
    private readonly organizations: OrganizationsService,
  ) {}

  async get(scope: Scope, id: number): Promise<AssetDetails> {
    const asset = orThrow(await this.assets.findWithOrganization(scope, id), assetNotFound);
    const [totals, technologies, findings] = await Promise.all([
      this.findings.totalsOf([id]),
      this.assets.listTechnologiesOfVisible(id),
      this.lists.listForVisibleAsset(asset.organizationId, id, MAX_FINDINGS),
    ]);
    return { asset, totals: totals.get(id) ?? NO_FINDINGS, technologies, findings };
  }

  async listFor(
    scope: Scope,
    organizationId: number,
    filter: AssetFilter,
    page: Page,
    order: AssetOrder,
  ): Promise<Slice<AssetWithTotals>> {
    const { items, ...slice } = await this.assets.listWithTotals(scope, organizationId, filter, page, order);
    // Assets show that their organization is visible.
    if (items.length === 0) await this.organizations.get(scope, organizationId);
    return { items: items.map((asset) => ({ asset, totals: totalsFrom(asset) })), ...slice };
  }
}
