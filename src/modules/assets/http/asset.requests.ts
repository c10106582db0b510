import { Id, Integer, OneOf, SingleLineText, Text } from '../../../platform/http/fields';
import { PageQuery } from '../../../platform/http/page-query';
import { ASSET_TIERS, ASSET_TYPES, type AssetType } from '../domain/asset-value';

const [mostImportant, , leastImportant] = ASSET_TIERS;

export class CreateAssetRequest {
  @Id({ nullable: true, description: 'Optional if the caller has access to only one organization.' })
  organization_id?: number | null;

  @Text(1, 2048, {
    description: 'A domain, an http or https URL, an IP address or a CIDR block. Stored in canonical form.',
  })
  asset_value!: string;

  @OneOf(ASSET_TYPES)
  asset_type!: AssetType;

  @Id({ nullable: true, description: 'The beacon that connects the asset; null for the public Internet.' })
  beacon_id?: number | null;

  @Integer(mostImportant, leastImportant, {
    nullable: true,
    description: 'The importance of the asset; 1 is the highest.',
  })
  tier?: number | null;
}

export class ListAssetsQuery extends PageQuery {
  @OneOf(ASSET_TYPES, { optional: true })
  type?: AssetType;

  @Integer(mostImportant, leastImportant, { optional: true })
  tier?: number;

  @SingleLineText(200, { optional: true, description: 'A substring of the value, case-insensitive.' })
  q?: string;
}
