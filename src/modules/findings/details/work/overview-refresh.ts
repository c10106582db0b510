import { Injectable } from '@nestjs/common';
import { everything } from '../../../../platform/api/scope';
import { TenantTurns } from '../../../../platform/work/tenant-turns';
import { Scheduled } from '../../../../platform/work/work-handler';
import { EventDaysService } from '../event-days.service';
import { FindingOverviewService } from '../finding-overview.service';

const BATCH_SIZE = 20;

const scope = everything('overviews of all organizations are kept up to date');

/** Keeps the stored overviews and days up to date, those of organizations and events with very many findings. */
@Injectable()
export class OverviewRefresh {
  constructor(
    private readonly overviews: FindingOverviewService,
    private readonly days: EventDaysService,
    private readonly turns: TenantTurns,
  ) {}

  @Scheduled({ name: 'finding.overview_refresh', everySeconds: 60 })
  async run(): Promise<void> {
    await this.turns.each(
      'finding.overview_refresh',
      scope,
      (part) => this.overviews.listOutdated(part, BATCH_SIZE),
      ({ organizationId }) => this.overviews.computeAndStore(scope, organizationId),
    );
    await this.turns.each(
      'finding.overview_refresh:events',
      scope,
      (part) => this.days.listOutdated(part, BATCH_SIZE),
      (event) => this.days.computeAndStore(scope, event),
    );
  }
}
