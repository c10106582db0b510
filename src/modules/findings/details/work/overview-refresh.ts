import { Injectable } from '@nestjs/common';
import { Scheduled } from '../../../../platform/work/work-handler';
import { FindingOverviewService } from '../finding-overview.service';

const BATCH_SIZE = 20;

/** Keeps the stored overviews up to date, those of organizations with very many findings. */
@Injectable()
export class OverviewRefresh {
  constructor(private readonly overviews: FindingOverviewService) {}

  @Scheduled({ name: 'finding.overview_refresh', everySeconds: 60 })
  async run(): Promise<void> {
    await this.overviews.refresh(BATCH_SIZE);
  }
}
