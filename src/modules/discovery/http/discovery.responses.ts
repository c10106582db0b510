import { presented, ResponseField } from '../../../platform/api/response-field';
import { WorkTimesResponse } from '../../../platform/api/work-times.response';
import { statusOfError } from '../../../platform/http/error-response';
import type { Discovery } from '../data/discovery.entity';
import { type AddedCandidate, type AddedCandidates, ADDING_RESULTS } from '../discovered-assets.service';
import type { CandidateView, DiscoveryView } from '../discoveries.service';
import { DISCOVERY_STATUSES, type DiscoveryStatus } from '../domain/discovery-status';

export class DiscoveryResponse extends WorkTimesResponse {
  @ResponseField.string()
  uuid!: string;

  @ResponseField.integer()
  beacon_id!: number;

  @ResponseField.string({ enum: DISCOVERY_STATUSES })
  status!: DiscoveryStatus;

  @ResponseField.string({ nullable: true, description: 'Why it ended in ERROR. What was found until then is kept.' })
  error!: string | null;

  @ResponseField.strings()
  cidrs!: string[];

  @ResponseField.integers()
  ports!: number[];

  @ResponseField.integer({ description: 'The number of hosts to try.' })
  hosts_total!: number;

  @ResponseField.integer({ description: 'The number of hosts that were tried, with those that were skipped.' })
  hosts_tried!: number;

  @ResponseField.integer({
    description: "Hosts that were not tried, because the beacon's `allowed_cidrs` or its agent do not allow them.",
  })
  hosts_skipped!: number;

  @ResponseField.integer({ description: 'The number of hosts with an open port.' })
  hosts_answered!: number;
}

export class DiscoveryListResponse {
  @ResponseField.list(DiscoveryResponse)
  discoveries!: DiscoveryResponse[];
}

export class CandidateResponse {
  @ResponseField.string()
  address!: string;

  @ResponseField.integers({ description: 'The open ports of those that were tried.' })
  ports!: number[];

  @ResponseField.integer({
    nullable: true,
    description: 'The asset with this address behind the beacon, if it exists.',
  })
  asset_id!: number | null;
}

export class DiscoveryDetailsResponse extends DiscoveryResponse {
  @ResponseField.list(CandidateResponse, { description: 'The hosts with an open port, by address.' })
  candidates!: CandidateResponse[];
}

export class AddedCandidateResponse {
  @ResponseField.string()
  address!: string;

  @ResponseField.string({ enum: ADDING_RESULTS, description: '`exists`: it is an asset behind the beacon already.' })
  result!: string;

  @ResponseField.integer({ nullable: true })
  asset_id!: number | null;

  @ResponseField.integer({ nullable: true, description: 'The status that `POST /v1/assets/` returns, if refused.' })
  status!: number | null;

  @ResponseField.string({ nullable: true, description: 'Why it was refused.' })
  error!: string | null;
}

export class AddedCandidatesResponse {
  @ResponseField.integer()
  added!: number;

  @ResponseField.integer()
  refused!: number;

  @ResponseField.integer({ description: 'The number of candidates that are no assets yet. Send the request again.' })
  remaining!: number;

  @ResponseField.list(AddedCandidateResponse, { description: 'In the order of the request.' })
  results!: AddedCandidateResponse[];
}

export const presentDiscovery = (discovery: Discovery) =>
  presented(DiscoveryResponse, discovery, { hosts_total: discovery.hosts, hosts_tried: discovery.hostsDone });

const presentCandidate = ({ address, ports, assetId }: CandidateView): CandidateResponse => ({
  address,
  ports: [...ports],
  asset_id: assetId,
});

export const presentDetails = ({ discovery, candidates }: DiscoveryView): DiscoveryDetailsResponse => ({
  ...presentDiscovery(discovery),
  candidates: candidates.map(presentCandidate),
});

const presentAddedCandidate = ({ address, result, assetId, error }: AddedCandidate): AddedCandidateResponse => ({
  address,
  result,
  asset_id: assetId,
  status: error === null ? null : statusOfError(error),
  error: error === null ? null : error.message,
});

const countOf = (results: readonly AddedCandidate[], wanted: AddedCandidate['result']): number =>
  results.filter(({ result }) => result === wanted).length;

export const presentAddedCandidates = ({ results, remaining }: AddedCandidates): AddedCandidatesResponse => ({
  added: countOf(results, 'added'),
  refused: countOf(results, 'refused'),
  remaining,
  results: results.map(presentAddedCandidate),
});
