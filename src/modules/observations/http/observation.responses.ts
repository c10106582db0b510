import { presented, ResponseField } from '../../../platform/api/response-field';
import { WorkTimesResponse } from '../../../platform/api/work-times.response';
import type { Observation } from '../data/observation.entity';
import type { BlockSearch } from '../domain/block-search';
import { OBSERVATION_CAUSES, OBSERVATION_STATUSES, type ObservationStatus } from '../domain/observation-status';
import type { AssetObservation, OrganizationObservation } from '../observation-settings.service';

export class ObservationResponse extends WorkTimesResponse {
  @ResponseField.string()
  uuid!: string;

  @ResponseField.integer()
  asset_id!: number;

  @ResponseField.string({ enum: OBSERVATION_STATUSES })
  status!: ObservationStatus;

  @ResponseField.string({ enum: OBSERVATION_CAUSES, description: 'Why it began.' })
  cause!: string;

  @ResponseField.string({ nullable: true, description: 'Why it ended in ERROR.' })
  error!: string | null;

  @ResponseField.string({ nullable: true, description: 'What a finished observation could not do.' })
  note!: string | null;

  @ResponseField.integer({ description: 'The hosts of the asset that are not gone.' })
  hosts!: number;

  @ResponseField.integer()
  open_ports!: number;

  @ResponseField.integer({ description: 'The number of differences from earlier observations.' })
  changes!: number;

  @ResponseField.integer({ description: 'Hosts and ports beyond the limits of the organization.' })
  not_stored!: number;
}

export class ObservationSettingsResponse {
  @ResponseField.boolean()
  enabled!: boolean;

  @ResponseField.integer({
    nullable: true,
    description: 'How many hours pass between two observations; null for the default.',
  })
  every_hours!: number | null;
}

export class BlockSearchResponse {
  @ResponseField.integer({ description: 'The addresses that hosts can have.' })
  addresses!: number;

  @ResponseField.integer({ description: 'Those that the current search has covered. A complete search begins again.' })
  addresses_searched!: number;

  @ResponseField.integer({ description: 'At most 4,096 a day (UTC).' })
  addresses_searched_today!: number;

  @ResponseField.instant({ nullable: true, description: 'When a search last covered all addresses.' })
  last_complete_at!: string | null;
}

export class AssetObservationResponse {
  @ResponseField.boolean({ description: 'Whether the asset is observed.' })
  observe!: boolean;

  @ResponseField.string({ nullable: true, description: 'The ports that an admin chose beside the usual ones.' })
  observe_ports!: string | null;

  @ResponseField.string({ nullable: true, description: 'Why the asset is not observed, and what to do.' })
  reason!: string | null;

  @ResponseField.strings({ description: 'All A and AAAA records of a name in the last look.' })
  addresses!: string[];

  @ResponseField.strings({ description: 'Its chain of CNAME records, in their order.' })
  aliases!: string[];

  @ResponseField.string({ nullable: true, description: 'Who runs the host, if someone else does.' })
  hosted_by!: string | null;

  @ResponseField.string({ nullable: true, description: 'The name or network of the company that runs the host.' })
  hosted_target!: string | null;

  @ResponseField.boolean({ description: 'Only ports 80 and 443 are tried, because someone else runs the host.' })
  limited!: boolean;

  @ResponseField.string({ nullable: true, description: 'The target that an admin has confirmed as your own.' })
  own_target!: string | null;

  @ResponseField.string({ nullable: true, description: 'The target whose operator permits wider tests.' })
  permitted_target!: string | null;

  @ResponseField.one(BlockSearchResponse, { nullable: true, description: 'Of a block. Null for single hosts.' })
  block!: BlockSearchResponse | null;

  @ResponseField.instant({ nullable: true, description: 'The end of the last look.' })
  last_observed!: string | null;

  @ResponseField.instant({ nullable: true, description: 'Null where none is planned yet.' })
  next_observation!: string | null;
}

export const presentObservation = (observation: Observation): ObservationResponse =>
  presented(ObservationResponse, observation, {});

export const presentSettings = ({ isEnabled, everyHours }: OrganizationObservation): ObservationSettingsResponse => ({
  enabled: isEnabled,
  every_hours: everyHours,
});

const presentBlock = ({ addresses, searched, searchedToday, completed }: BlockSearch): BlockSearchResponse => ({
  addresses,
  addresses_searched: searched,
  addresses_searched_today: searchedToday,
  last_complete_at: completed?.toISOString() ?? null,
});

export function presentAssetObservation({ asset, state, hosting, block }: AssetObservation): AssetObservationResponse {
  return {
    observe: asset.observe,
    observe_ports: state?.observePorts ?? null,
    reason: state?.reason ?? null,
    addresses: state?.records ?? [],
    aliases: state?.aliases ?? [],
    hosted_by: hosting?.by ?? null,
    hosted_target: hosting?.target ?? null,
    limited: hosting?.isLimited ?? false,
    own_target: state?.ownTarget ?? null,
    permitted_target: state?.permittedTarget ?? null,
    block: block && presentBlock(block),
    last_observed: state?.observed?.toISOString() ?? null,
    next_observation: asset.observe ? (asset.observationDue?.toISOString() ?? null) : null,
  };
}
