import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { compareAddresses } from '../../kernel/cidr';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { Work } from '../../platform/work/work';
import { BeaconAssetsService } from '../assets';
import { BeaconLinks, BeaconsService, beaconNotFound } from '../beacons';
import { DiscoveriesRepository, type DiscoveryPlace } from './data/discoveries.repository';
import type { Candidate, Discovery } from './data/discovery.entity';
import { beaconNotConnected, discoveryNotFound } from './domain/discovery.errors';
import { type DiscoveryRequest, planOf } from './domain/discovery-plan';
import { cancelsDiscovery } from './domain/discovery-status';

export const DISCOVERY_KIND = 'beacon.discover';

/** Of each beacon; older ones are deleted when another starts. */
const KEPT = 10;

/** A host that answered, with its asset behind the same beacon. */
export interface CandidateView extends Candidate {
  readonly assetId: number | null;
}

export interface DiscoveryView {
  readonly discovery: Discovery;
  /** By address. */
  readonly candidates: readonly CandidateView[];
}

@Injectable()
export class DiscoveriesService {
  constructor(
    private readonly discoveries: DiscoveriesRepository,
    private readonly beacons: BeaconsService,
    private readonly links: BeaconLinks,
    private readonly assets: BeaconAssetsService,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async start(caller: Caller, organizationId: number, beaconId: number, request: DiscoveryRequest): Promise<Discovery> {
    const beacon = orThrow(await this.links.find(caller.scope, organizationId, beaconId), beaconNotFound);
    this.unitOfWork.note({ organizationId });
    caller.requireRole('admin', organizationId);
    const plan = planOf(beacon.cidrs, request);
    if (!beacon.isConnected) throw beaconNotConnected(beacon.name);
    const uuid = randomUUID();
    const discovery = {
      uuid,
      organizationId,
      beaconId,
      cidrs: [...plan.cidrs],
      ports: [...plan.ports],
      hosts: plan.hosts,
    };
    await this.discoveries.save(discovery);
    await this.discoveries.removeOldOf(discovery, KEPT);
    await this.work.enqueue({ kind: DISCOVERY_KIND, reference: uuid, organizationId });
    this.unitOfWork.note({ metadata: { discovery: uuid, ...plan } });
    return this.get(caller.scope, { organizationId, beaconId, uuid });
  }

  async get(scope: Scope, place: DiscoveryPlace): Promise<Discovery> {
    return orThrow(await this.discoveries.findOne(scope, place), discoveryNotFound);
  }

  async view(scope: Scope, place: DiscoveryPlace): Promise<DiscoveryView> {
    const { candidates, ...discovery } = orThrow(
      await this.discoveries.findWithCandidates(scope, place),
      discoveryNotFound,
    );
    const addresses = candidates.map(({ address }) => address);
    const assetIds = await this.assets.idsOf(scope, place, addresses);
    const views = candidates.map((one) => ({ ...one, assetId: assetIds.get(one.address) ?? null }));
    return { discovery, candidates: views.sort((one, other) => compareAddresses(one.address, other.address)) };
  }

  async list(scope: Scope, organizationId: number, beaconId: number, page: Page): Promise<Slice<Discovery>> {
    const { id } = await this.beacons.get(scope, organizationId, beaconId);
    return this.discoveries.listForVisible(organizationId, id, page);
  }

  /** Locks the work before the discovery, in the same order as a worker that ends it. A conflict rolls both back. */
  async cancel(caller: Caller, place: DiscoveryPlace): Promise<void> {
    const { organizationId, uuid } = place;
    await this.get(caller.scope, place);
    this.unitOfWork.note({ organizationId, metadata: { discovery: uuid } });
    caller.requireRole('admin', organizationId);
    await this.work.cancel(DISCOVERY_KIND, uuid);
    const discovery = orThrow(await this.discoveries.lockOne(caller.scope, place), discoveryNotFound);
    this.unitOfWork.note({ metadata: { from: discovery.status, to: 'CANCELED' } });
    if (cancelsDiscovery(discovery.status)) await this.discoveries.endEarly(discovery.id, 'CANCELED', null);
  }
}
