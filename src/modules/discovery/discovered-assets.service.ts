import { Injectable } from '@nestjs/common';
import { DomainError, unprocessable } from '../../kernel/domain-error';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import { asDomainError } from '../../platform/database/database-errors';
import { AssetsService } from '../assets';
import type { DiscoveryPlace } from './data/discoveries.repository';
import { DiscoveriesService } from './discoveries.service';

/** In one request. */
export const MAX_ADDED = 500;

export const ADDING_RESULTS = ['added', 'exists', 'refused'] as const;

/** What became of one address. */
export interface AddedAsset {
  readonly address: string;
  readonly result: (typeof ADDING_RESULTS)[number];
  /** Null if it was refused. */
  readonly assetId: number | null;
  /** Why it was refused. */
  readonly error: DomainError | null;
}

export interface AddedAssets {
  readonly results: readonly AddedAsset[];
  /** The number of candidates that are no assets yet. */
  readonly remaining: number;
}

/** Adds candidates as assets. Each is a unit of work of its own, so that one that is refused undoes no other. */
@Injectable()
export class DiscoveredAssetsService {
  constructor(
    private readonly discoveries: DiscoveriesService,
    private readonly assets: AssetsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Without addresses, adds the first candidates that are no assets yet. */
  async add(caller: Caller, place: DiscoveryPlace, addresses?: readonly string[]): Promise<AddedAssets> {
    const { organizationId, uuid } = place;
    const { candidates } = await this.discoveries.view(caller.scope, place);
    this.unitOfWork.note({ organizationId, metadata: { discovery: uuid } });
    caller.requireRole('member', organizationId);
    const known = new Map(candidates.map(({ address, assetId }) => [address, assetId]));
    const missing = candidates.filter(({ assetId }) => assetId === null);
    const wanted = addresses ?? missing.slice(0, MAX_ADDED).map(({ address }) => address);
    const results: AddedAsset[] = [];
    for (const address of wanted) results.push(await this.addOne(caller, place, address, known.get(address)));
    const added = results.filter(({ result }) => result !== 'refused').map(({ address }) => address);
    this.unitOfWork.note({ metadata: countsOf(results) });
    return { results, remaining: missing.filter(({ address }) => !added.includes(address)).length };
  }

  /** Throws if the database is unavailable: a retry adds those that are missing. */
  private async addOne(
    caller: Caller,
    place: DiscoveryPlace,
    address: string,
    known: number | null | undefined,
  ): Promise<AddedAsset> {
    if (known === undefined) return refused(address, notACandidate());
    if (known !== null) return { address, result: 'exists', assetId: known, error: null };
    try {
      const assetId = await this.create(caller, place, address);
      return { address, result: 'added', assetId, error: null };
    } catch (thrown) {
      const error = asDomainError(thrown);
      if (!(error instanceof DomainError) || error.kind === 'unavailable') throw thrown;
      // Added by another request meanwhile.
      const assetId = (await this.assets.idsBehindBeacon(caller.scope, place, [address])).get(address);
      if (assetId === undefined) return refused(address, error);
      return { address, result: 'exists', assetId, error: null };
    }
  }

  private create(caller: Caller, { organizationId, beaconId }: DiscoveryPlace, address: string): Promise<number> {
    const part = { operation: 'asset.create', resourceType: 'asset' } as const;
    const draft = { organizationId, value: address, type: 'ip', beaconId, tier: null };
    return this.unitOfWork.runPart(part, caller.scope, () => this.assets.create(caller, draft));
  }
}

const refused = (address: string, error: DomainError): AddedAsset => ({
  address,
  result: 'refused',
  assetId: null,
  error,
});

const notACandidate = () =>
  unprocessable('It is not a candidate of this discovery. Add it with POST /v1/assets/ instead.');

const countsOf = (results: readonly AddedAsset[]): Record<string, number> =>
  Object.fromEntries(ADDING_RESULTS.map((name) => [name, results.filter(({ result }) => result === name).length]));
