import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { HostSeen } from '../../engine';
import { Clock } from '../../kernel/clock';
import { system } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { AssetsService, ObservedAssets, ObservedAssetsRepository } from '../assets';
import { type Launchable, TestedPages } from '../retests';
import { ObservedHostsRepository } from './data/observed-hosts.repository';
import { summaryOf } from './domain/asset-summary';
import { knownAsset } from './domain/known-asset';
import { subjectOf } from './domain/observed-subject';
import { withPage } from './domain/page-look';
import { storableHost } from './domain/storable-look';
import { LookStore } from './look-store';

const scope = everything('a worker keeps what the tests of all organizations have seen');

/** Stores what the page of a test shows of its asset, without another request. */
@Injectable()
export class PageLooks implements OnModuleInit {
  constructor(
    private readonly states: ObservedAssetsRepository,
    private readonly hosts: ObservedHostsRepository,
    private readonly looks: LookStore,
    private readonly observed: ObservedAssets,
    private readonly assets: AssetsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly tested: TestedPages,
  ) {}

  onModuleInit(): void {
    this.tested.keepWith((launch, page) => this.keep(launch, page));
  }

  /** Nothing where the asset has other hosts than that of the test, such as a subdomain without an asset of its own. */
  async keep({ assetId, organizationId, target }: Launchable, page: HostSeen | null): Promise<void> {
    const asset = page === null ? undefined : await this.assets.find(scope, assetId);
    const subject = asset && subjectOf(asset);
    if (page === null || subject === undefined || subject.block !== null || subject.host !== target.host) return;
    // Without an audit entry, as an observation that changes nothing that people decide.
    const description = { actor: system, operation: 'asset.observe', resourceType: 'asset', organizationId } as const;
    await this.unitOfWork.runIfDue(description, scope, async () => {
      await this.assets.lock(scope, assetId);
      await this.store({ assetId, organizationId }, storableHost(page), subject.isName);
      return undefined;
    });
  }

  /** Other ports than those of the observations would be forgotten by the next one. */
  private async store(
    ofAsset: { readonly assetId: number; readonly organizationId: number },
    page: HostSeen,
    isName: boolean,
  ): Promise<void> {
    const at = this.clock.now();
    const state = await this.states.findOfVisible(ofAsset.assetId);
    const known = knownAsset(state, await this.hosts.listKnown(ofAsset));
    if (!known.isFirst && !page.ports.some(({ port }) => known.watched.has(port))) return;
    const { asset, changes } = withPage(known, page, isName, at);
    await this.looks.saveCompared(ofAsset, known, { asset, changes, seen: [page], at });
    await this.observed.replace(ofAsset.organizationId, ofAsset.assetId, summaryOf(asset, [page]));
  }
}
