import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { AssetChangesRepository } from './data/asset-changes.repository';
import { ObservedHostsRepository, type OfAsset } from './data/observed-hosts.repository';
import type { Change, KnownAsset } from './domain/asset-change';
import { type AssetSeen, changesBetween } from './domain/changes-between';
import { storableLook } from './domain/storable-look';
import { withinCapacity } from './domain/within-capacity';

/** Of one observation. */
const MAX_CHANGES = 1_000;
const MAX_SENTENCES = 10;

export interface StoredLook {
  readonly asset: KnownAsset;
  /** The look as it was compared and stored. */
  readonly seen: AssetSeen;
  readonly at: Date;
  readonly changes: number;
  readonly notStored: number;
  /** What the look could not do; null if it was complete. */
  readonly note: string | null;
}

/** A look that was compared with what was known. */
export interface ComparedLook {
  readonly asset: KnownAsset;
  readonly changes: readonly Change[];
  readonly seen: AssetSeen['hosts'];
  readonly at: Date;
}

/** Stores the hosts that a look showed, and the differences from what was known. */
@Injectable()
export class LookStore {
  constructor(
    private readonly hosts: ObservedHostsRepository,
    private readonly changes: AssetChangesRepository,
    private readonly clock: Clock,
  ) {}

  /** `before`: how many changes this observation has shown already. */
  async save(
    { organizationId, assetId }: OfAsset,
    known: KnownAsset,
    look: AssetSeen,
    before = 0,
  ): Promise<StoredLook> {
    const ofAsset = { organizationId, assetId };
    const at = this.clock.now();
    const seen = storableLook(look);
    const { asset, changes } = changesBetween(known, seen, at);
    const notStored = await this.saveCompared(
      ofAsset,
      known,
      { asset, changes, seen: seen.hosts, at },
      MAX_CHANGES - before,
    );
    const note = noteOf(seen, notStored, { before, after: before + changes.length });
    return { asset, seen, at, changes: changes.length, notStored, note };
  }

  /** Stores as much as the organization may store. Returns how many hosts and ports were not stored. */
  async saveCompared(
    ofAsset: OfAsset,
    known: KnownAsset,
    { asset, changes, seen, at }: ComparedLook,
    mostChanges = MAX_CHANGES,
  ): Promise<number> {
    const capacity = await this.hosts.lockCapacityOf(ofAsset.organizationId);
    const { hosts, notStored } = withinCapacity(known.hosts, asset.hosts, seen, capacity);
    await this.hosts.save(ofAsset, hosts, at);
    await this.changes.save(ofAsset, changes.slice(0, Math.max(0, mostChanges)), at);
    return notStored;
  }
}

function noteOf(
  { hosts, records }: AssetSeen,
  notStored: number,
  { before, after }: { before: number; after: number },
): string | null {
  const addresses = records?.addresses.length ?? 0;
  const sentences = [
    ...(addresses > hosts.length ? [`${hosts.length} of the ${addresses} addresses of the name were looked at.`] : []),
    ...hosts.flatMap(({ address, stopped }) => (stopped === null ? [] : [`${address}: ${stopped}`])),
    ...(notStored > 0
      ? [`${notStored} hosts and ports were not stored, because the organization stores as many as it may.`]
      : []),
    ...(after > MAX_CHANGES && before <= MAX_CHANGES ? [`Only the first ${MAX_CHANGES} changes are listed.`] : []),
  ];
  return sentences.length === 0 ? null : sentences.slice(0, MAX_SENTENCES).join(' ');
}
