import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../kernel/page';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/auth/caller';
import type { Scope } from '../../platform/auth/scope';
import { AssetsService, assetNotFound } from '../assets';
import { type Finding, type FindingDraft, FindingsService, type Recorded } from '../findings';
import { EventsService } from './events.service';

/** A finding as somebody writes it down: on an asset by its id, or on whatever has this value, in its canonical form. */
export type FindingToRecord = Pick<FindingDraft, 'title' | 'md' | 'severity' | 'score' | 'cvssVector' | 'cve'> & {
  readonly on: { readonly assetId: number } | { readonly assetValue: string };
};

@Injectable()
export class EventFindingsService {
  constructor(
    private readonly events: EventsService,
    private readonly assets: AssetsService,
    private readonly findings: FindingsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list(scope: Scope, slug: string, page: Page): Promise<Slice<Finding>> {
    const event = await this.events.get(scope, slug);
    return this.findings.listForEvent(scope, event.id, page);
  }

  async record(caller: Caller, slug: string, { on, ...stated }: FindingToRecord): Promise<Recorded> {
    const { id: eventId, organizationId } = await this.events.get(caller.scope, slug);
    this.unitOfWork.note({ organizationId, metadata: { event: slug, title: stated.title } });
    const asset = await this.assetOf(caller.scope, organizationId, on);
    caller.demand('member', organizationId);
    const recorded = await this.findings.record(caller.actor, { ...stated, organizationId, eventId, asset });
    const { finding, outcome } = recorded;
    this.unitOfWork.note({ resourceId: String(finding.id), metadata: { asset_value: finding.assetValue, outcome } });
    return recorded;
  }

  /** A finding may be on something that the organization has not listed; it is kept by its value then. */
  private async assetOf(
    scope: Scope,
    organizationId: number,
    on: FindingToRecord['on'],
  ): Promise<FindingDraft['asset']> {
    if ('assetValue' in on) {
      const listed = await this.assets.findByValue(scope, organizationId, on.assetValue);
      return listed ?? { id: null, value: on.assetValue, tier: null };
    }
    const asset = await this.assets.hold(scope, on.assetId);
    if (asset.organizationId !== organizationId) throw assetNotFound();
    return asset;
  }
}
