import { ResponseField } from '../../../platform/api/response-field';
import { ASSET_TYPES } from '../../assets';
import type { ScopeAsset } from '../event-scope.service';

export class ScopeAssetResponse {
  @ResponseField.integer({ description: 'The id of the asset.' })
  id!: number;

  @ResponseField.string()
  value!: string;

  @ResponseField.string({ enum: ASSET_TYPES })
  type!: string;

  @ResponseField.boolean()
  in_scope!: boolean;

  @ResponseField.boolean({ nullable: true, description: 'Whether a beacon connects the asset.' })
  private!: boolean | null;

  @ResponseField.string({ nullable: true })
  description!: string | null;

  @ResponseField.boolean({ nullable: true, description: 'Whether subdomains are included. Null means true.' })
  wildcard!: boolean | null;

  @ResponseField.integer({ nullable: true })
  beacon_id!: number | null;

  @ResponseField.string({ nullable: true })
  attachment_url!: string | null;
}

class ScopeAssetList {
  @ResponseField.list(ScopeAssetResponse)
  assets!: ScopeAssetResponse[];
}

export class EventScopeResponse {
  @ResponseField.one(ScopeAssetList, { description: 'The assets that may be tested.' })
  in_scope!: ScopeAssetList;

  @ResponseField.one(ScopeAssetList, { description: 'The assets that must not be tested.' })
  out_of_scope!: ScopeAssetList;
}

export const presentScopeAsset = ({ entry, asset }: ScopeAsset): ScopeAssetResponse => ({
  id: asset.id,
  value: asset.value,
  type: asset.type,
  in_scope: entry.inScope,
  private: asset.beaconId !== null,
  description: entry.description,
  wildcard: entry.wildcard,
  beacon_id: asset.beaconId,
  attachment_url: entry.attachmentUrl,
});

export function presentScope(scopeAssets: readonly ScopeAsset[]): EventScopeResponse {
  const assets = scopeAssets.map(presentScopeAsset);
  return {
    in_scope: { assets: assets.filter(({ in_scope }) => in_scope) },
    out_of_scope: { assets: assets.filter(({ in_scope }) => !in_scope) },
  };
}

export const scopeAssetExample: ScopeAssetResponse = {
  id: 42,
  value: 'example.com',
  type: 'domain',
  in_scope: true,
  private: false,
  description: 'The shop; no orders above 1 EUR, please.',
  wildcard: true,
  beacon_id: null,
  attachment_url: 'https://files.example.com/rules-of-engagement.pdf',
};
