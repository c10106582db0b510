import { Injectable } from '@nestjs/common';
import { unprocessable } from '../../kernel/domain-error';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import { type AddedAddress, BeaconAssetsService } from '../assets';
import type { DiscoveryPlace } from './data/discoveries.repository';
import { DiscoveriesService } from './discoveries.service';

/** In one request. */
export const MAX_ADDED = 500;

export const ADDING_RESULTS = ['added', 'exists', 'refused'] as const;

export interface AddedCandidate extends AddedAddress {
  /** Null if it was refused. */
  readonly assetId: number | null;
}

export interface AddedCandidates {
  readonly results: readonly AddedCandidate[];
  /** The number of candidates that are not assets yet. */
  readonly remaining: number;
}

/** Adds candidates as assets. One that is refused does not undo the others. */
@Injectable()
export class DiscoveredAssetsService {
  constructor(
    private readonly discoveries: DiscoveriesService,
    private readonly assets: BeaconAssetsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Without addresses, adds the first candidates that are not assets yet. */
  async add(caller: Caller, place: DiscoveryPlace, addresses?: readonly string[]): Promise<AddedCandidates> {
    const { candidates } = await this.discoveries.view(caller.scope, place);
    this.unitOfWork.note({ organizationId: place.organizationId, metadata: { discovery: place.uuid } });
    const missing = candidates.filter(({ assetId }) => assetId === null).map(({ address }) => address);
    const wanted = addresses ?? missing.slice(0, MAX_ADDED);
    const known = new Set(candidates.map(({ address }) => address));
    const outcomes = await this.assets.add(
      caller,
      place,
      wanted.filter((address) => known.has(address)),
    );
    const ids = await this.assets.idsOf(caller.scope, place, wanted);
    const results = wanted.map((address): AddedCandidate => {
      const outcome = outcomes.find((one) => one.address === address) ?? notACandidate(address);
      return { ...outcome, assetId: outcome.error === null ? (ids.get(address) ?? null) : null };
    });
    this.unitOfWork.note({ metadata: countsOf(results) });
    const existing = new Set(results.filter(({ assetId }) => assetId !== null).map(({ address }) => address));
    return { results, remaining: missing.filter((address) => !existing.has(address)).length };
  }
}

const notACandidate = (address: string): AddedAddress => ({
  address,
  result: 'refused',
  error: unprocessable('It is not a candidate of this discovery. Add it with POST /v1/assets/ instead.'),
});

const countsOf = (results: readonly AddedCandidate[]): Record<string, number> =>
  Object.fromEntries(ADDING_RESULTS.map((name) => [name, results.filter(({ result }) => result === name).length]));
