import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { everything } from '../../platform/api/scope';
import { AssetsService, ObservedAssets, ObservedAssetsRepository } from '../assets';
import type { Observation } from './data/observation.entity';
import { ObservationsRepository } from './data/observations.repository';
import { ObservedHostsRepository } from './data/observed-hosts.repository';
import { summaryOf } from './domain/asset-summary';
import type { KnownAsset } from './domain/asset-change';
import type { AssetSeen } from './domain/changes-between';
import { knownAsset } from './domain/known-asset';
import { subjectOf } from './domain/observed-subject';
import { isObservationOver } from './domain/observation-status';
import { LookStore } from './look-store';

const scope = everything('a worker ends the observations of all organizations');

/** Stores what a look showed, and the differences from what was known. */
@Injectable()
export class ObservationResults {
  constructor(
    private readonly observations: ObservationsRepository,
    private readonly states: ObservedAssetsRepository,
    private readonly hosts: ObservedHostsRepository,
    private readonly store: LookStore,
    private readonly assets: ObservedAssets,
    private readonly locked: AssetsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** In the unit of work that completes the claim. Drops the look if the observation is over or its asset was deleted. */
  async apply(uuid: string, look: AssetSeen): Promise<void> {
    const observation = await this.lockUnfinished(uuid);
    if (observation === undefined) return;
    const { id, organizationId, assetId } = observation;
    const ofAsset = { organizationId, assetId };
    // A job may keep what it saw of the same asset.
    const { host } = subjectOf(await this.locked.lock(scope, assetId));
    const { asset, seen, at, ...stored } = await this.store.save(ofAsset, await this.knownOf(observation), look);
    const shown = {
      watched: [...asset.watched],
      addresses: [...asset.addresses],
      records: [...(seen.records?.addresses ?? [])],
      aliases: [...(seen.records?.chain ?? [])],
      hostedBy: asset.hosting?.by ?? null,
      hostedTarget: asset.hosting?.target ?? null,
      observed: at,
    };
    await this.states.saveLook(ofAsset, shown, host);
    await this.assets.replace(organizationId, assetId, summaryOf(asset, seen.hosts));
    const present = asset.hosts.filter(({ isGone }) => !isGone);
    const openPorts = present.flatMap(({ ports }) => ports.filter(({ isOpen }) => isOpen)).length;
    const { notStored, changes, note } = stored;
    const counts = { hosts: present.length, changes };
    await this.observations.finish(id, { ...counts, openPorts, notStored, note });
    const metadata = { ...counts, open_ports: openPorts, not_stored: notStored };
    this.unitOfWork.note({ metadata: { status: 'FINISHED', asset_id: assetId, ...metadata } });
  }

  async fail(uuid: string, error: string): Promise<void> {
    const observation = await this.lockUnfinished(uuid);
    if (observation === undefined) return;
    const { id, organizationId, assetId } = observation;
    await this.observations.endEarly(id, 'ERROR', error);
    await this.states.saveReason({ organizationId, assetId }, error);
    this.unitOfWork.note({ metadata: { status: 'ERROR', asset_id: assetId, error } });
  }

  private async lockUnfinished(uuid: string): Promise<Observation | undefined> {
    const observation = await this.observations.lockOne(scope, uuid);
    return observation === undefined || isObservationOver(observation.status) ? undefined : observation;
  }

  private async knownOf(observation: Observation): Promise<KnownAsset> {
    const state = await this.states.findOfVisible(observation.assetId);
    return knownAsset(state, await this.hosts.listKnown(observation));
  }
}
