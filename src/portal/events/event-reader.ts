import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../kernel/page';
import { AccountUse, type AssetAccount } from '../../modules/accounts';
import { type Asset, AssetsService } from '../../modules/assets';
import { type Event, EventFindingsService, EventScopeService, type ScopeAsset } from '../../modules/events';
import type { ListedFinding } from '../../modules/findings';
import { type Job, JobsService } from '../../modules/jobs';
import { type EventProgress, EventProgressService } from '../../modules/machine-events';
import { type Report, ReportsService } from '../../modules/reports';
import { type RetestSummary, RetestSummaryService } from '../../modules/retests';
import type { Place } from '../http/places';

export interface EventView {
  readonly organizationId: number;
  readonly event: Event;
  readonly progress: EventProgress;
  readonly scope: Slice<ScopeAsset>;
  readonly findings: Slice<ListedFinding>;
  readonly lastRetests: ReadonlyMap<number, RetestSummary>;
  readonly jobs: readonly Job[];
  readonly reports: readonly Report[];
  /** Of the organization, to add to the scope. */
  readonly assets: readonly Asset[];
  /** With which its jobs may sign in. */
  readonly accounts: readonly AssetAccount[];
  readonly mayOrder: boolean;
  readonly mayChange: boolean;
}

const MAX_SCOPE = 100;
const MAX_JOBS = 20;
const MAX_REPORTS = 20;

@Injectable()
export class EventReader {
  constructor(
    private readonly scopes: EventScopeService,
    private readonly eventFindings: EventFindingsService,
    private readonly assets: AssetsService,
    private readonly retests: RetestSummaryService,
    private readonly jobs: JobsService,
    private readonly reports: ReportsService,
    private readonly progress: EventProgressService,
    private readonly accounts: AccountUse,
  ) {}

  /** `page` is of its findings. */
  async read({ caller, organizationId, event }: Place<'event'>, page: Page): Promise<EventView> {
    const { scope } = caller;
    const { slug } = event;
    const findings = await this.eventFindings.list(scope, slug, {}, 'priority', page);
    const ids = findings.items.map(({ id }) => id);
    const firstOnes = { page: 1, perPage: MAX_SCOPE };
    const assets = await this.assets.listFor(scope, organizationId, firstOnes);
    return {
      organizationId,
      event,
      progress: await this.progress.readOf(scope, event),
      scope: await this.scopes.list(scope, slug, firstOnes),
      findings,
      lastRetests: await this.retests.lastOf(scope, ids),
      jobs: await this.jobs.newestOfEvent(scope, event.id, MAX_JOBS),
      reports: await this.reports.newestOfEvent(scope, event.id, MAX_REPORTS),
      assets: assets.items,
      accounts: await this.accounts.listUsable(organizationId),
      mayOrder: caller.hasRole('member', organizationId),
      mayChange: caller.hasRole('admin', organizationId),
    };
  }
}
