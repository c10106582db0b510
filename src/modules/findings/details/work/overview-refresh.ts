import { Injectable } from '@nestjs/common';
import { everything } from '../../../../platform/api/scope';
import { TenantTurns } from '../../../../platform/work/tenant-turns';
import { Scheduled } from '../../../../platform/work/work-handler';
import { FindingOverviewService } from '../finding-overview.service';

const BATCH_SIZE = 20;

const scope = everything('overviews of all organizations are kept up to date');

/** Keeps the stored overviews of organizations with very many findings up to date. */
@Injectable()
export class OverviewRefresh {
  constructor(
    private readonly overviews: FindingOverviewService,
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
  }
}
