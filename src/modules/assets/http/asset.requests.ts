import { Id, Integer, OneOf, SingleLineText, Text } from '../../../platform/http/fields';
import { PageQuery } from '../../../platform/http/page-query';
import { ASSET_TIERS, ASSET_TYPES, type AssetType } from '../domain/asset-value';

const [mostImportant, , leastImportant] = ASSET_TIERS;

export class CreateAssetRequest {
  @Id({ nullable: true, description: 'May be left out by who can see only one organization.' })
  organization_id?: number | null;

  @Text(1, 2048, {
    description: 'A domain, an http or https URL, an IP address or a CIDR block; kept in its one form.',
  })
  asset_value!: string;

  @OneOf(ASSET_TYPES)
  asset_type!: AssetType;

  @Id({ nullable: true, description: 'The beacon that it is reached through; null for the open Internet.' })
  beacon_id?: number | null;

  @Integer(mostImportant, leastImportant, { nullable: true, description: 'How much depends on it: 1 most.' })
  tier?: number | null;
}

export class ListAssetsQuery extends PageQuery {
  @OneOf(ASSET_TYPES, { optional: true })
  type?: AssetType;

  @Integer(mostImportant, leastImportant, { optional: true })
  tier?: number;

  @SingleLineText(200, { optional: true, description: 'A part of the value, in any case.' })
  q?: string;
}
