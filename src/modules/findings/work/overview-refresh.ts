import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ScheduledTask } from '../../../platform/work/work-handler';
import { WorkRegistry } from '../../../platform/work/work-registry';
import { FindingOverviewService } from '../finding-overview.service';

const BATCH_SIZE = 20;

/** Keeps the stored overviews up to date, those of organizations with very many findings. */
@Injectable()
export class OverviewRefresh implements ScheduledTask, OnModuleInit {
  readonly name = 'finding.overview_refresh';
  readonly everySeconds = 60;

  constructor(
    private readonly overviews: FindingOverviewService,
    private readonly registry: WorkRegistry,
  ) {}

  onModuleInit(): void {
    this.registry.schedule(this);
  }

  async run(): Promise<void> {
    await this.overviews.refresh(BATCH_SIZE);
  }
}
