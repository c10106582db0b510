import { Injectable } from '@nestjs/common';
import { AssetSummaryRepository } from './data/asset-summary.repository';
import { type ObservedAsset, storableAsset } from './domain/observed-asset';

/** What assets show, as the last observation saw it. */
@Injectable()
export class ObservedAssets {
  constructor(private readonly rows: AssetSummaryRepository) {}

  /**
   * Replaces what is known of an asset, in the unit of work of the caller. The ids of technologies that did not change stay.
   * Returns false if the asset no longer exists.
   */
  async replace(organizationId: number, assetId: number, observed: ObservedAsset): Promise<boolean> {
    const asset = storableAsset(observed);
    if (!(await this.rows.save(organizationId, assetId, asset))) return false;
    await this.rows.replaceTechnologies(organizationId, assetId, asset.technologies);
    return true;
  }
}
