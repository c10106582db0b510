import { Injectable } from '@nestjs/common';
import type { HostSeen } from '../../engine';
import type { Cidr } from '../../kernel/cidr';
import { Clock } from '../../kernel/clock';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { everything } from '../../platform/api/scope';
import type { Claim } from '../../platform/work/claim';
import { workAudit } from '../../platform/work/work-audit';
import { ObservedAssets, ObservedAssetsRepository } from '../assets';
import type { Observation } from './data/observation.entity';
import { type ObservationPart, ObservationsRepository } from './data/observations.repository';
import { ObservedHostsRepository } from './data/observed-hosts.repository';
import { afterPortion, type BlockProgress, sizeOf, unsearchedBlock } from './domain/block-search';
import { isObservationOver } from './domain/observation-status';
import { LookStore } from './look-store';

const scope = everything('a worker observes the blocks of all organizations');

/** What the addresses of a portion showed. */
export interface SeenPortion {
  readonly block: Cidr;
  readonly addresses: readonly string[];
  readonly hosts: readonly HostSeen[];
  /** The ports on which hosts were looked at. */
  readonly watched: readonly number[];
}

/** Stores what a block shows, portion by portion, with the position at which another worker continues. */
@Injectable()
export class BlockResults {
  constructor(
    private readonly observations: ObservationsRepository,
    private readonly states: ObservedAssetsRepository,
    private readonly hosts: ObservedHostsRepository,
    private readonly store: LookStore,
    private readonly assets: ObservedAssets,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Returns false if the observation is over, or another worker runs it. Without an audit entry: the end has one. */
  async add(claim: Claim, observationId: number, seen: SeenPortion): Promise<boolean> {
    let isCurrent = false;
    const audit = workAudit(claim, { operation: 'asset.observation_progress', resourceType: 'observation' });
    await this.unitOfWork.runIfDue(audit, scope, async () => {
      const observation = await this.observations.lockCurrent(observationId, claim.attempt);
      isCurrent = observation !== undefined;
      if (observation !== undefined) await this.save(observation, seen);
      return undefined;
    });
    return isCurrent;
  }

  /** The last portion, in the unit of work that completes the claim. */
  async finish(uuid: string, seen: SeenPortion): Promise<void> {
    const observation = await this.observations.lockOne(scope, uuid);
    if (observation === undefined || isObservationOver(observation.status)) return;
    const { id, organizationId, assetId } = observation;
    const { blockPosition } = await this.save(observation, seen);
    if (blockPosition > 0) await this.observations.addPart(id, restOf(blockPosition, sizeOf(seen.block)));
    const { hostCount, openPorts, ...shown } = await this.hosts.summaryOf(observation);
    await this.assets.replace(organizationId, assetId, { ip: null, ...shown });
    await this.states.saveObserved({ organizationId, assetId }, this.clock.now());
    const { changes, notStored } = await this.observations.finishBlock(id, hostCount, openPorts);
    const metadata = { hosts: hostCount, changes, open_ports: openPorts, not_stored: notStored };
    this.unitOfWork.note({ metadata: { status: 'FINISHED', asset_id: assetId, ...metadata } });
  }

  private async save(
    { id, organizationId, assetId, changes: before }: Observation,
    { block, addresses, hosts, watched }: SeenPortion,
  ): Promise<BlockProgress> {
    const ofAsset = { organizationId, assetId };
    const state = await this.states.findOfVisible(assetId);
    const progress = state ?? unsearchedBlock;
    const known = await this.hosts.listKnown(ofAsset, addresses);
    const isFirst = progress.blockCompleted === null;
    const { changes, notStored, note, at } = await this.store.save(
      ofAsset,
      { hosts: known, addresses: [], hosting: null, watched: new Set(state?.watched), isFirst },
      { isName: false, addresses: [], hosting: null, hosts: hostsOf(hosts, known), watched: new Set(watched) },
      before,
    );
    const after = afterPortion(progress, addresses.length, sizeOf(block), at);
    const isComplete = after.blockCompleted !== progress.blockCompleted;
    await this.states.saveBlock(ofAsset, isComplete ? { ...after, watched: [...watched] } : after);
    await this.observations.addPart(id, { changes, notStored, note });
    return after;
  }
}

const restOf = (position: number, size: number): ObservationPart => ({
  changes: 0,
  notStored: 0,
  note: `${position} of ${size} addresses of the block are searched. The search continues with the next observation.`,
});

/** Without new ones that have no open port: a firewall may answer for any number of them. */
function hostsOf(hosts: readonly HostSeen[], known: readonly { readonly address: string }[]): HostSeen[] {
  const addresses = new Set(known.map(({ address }) => address));
  return hosts.filter(({ address, ports }) => addresses.has(address) || ports.some(({ state }) => state === 'open'));
}
