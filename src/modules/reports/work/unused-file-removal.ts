import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkRegistry } from '../../../platform/work/work-registry';
import { ReportFiles } from '../report-files';

const EVERY_SECONDS = 3_600;

/** Reports are deleted with their events. Their files follow, unless another report uses the same file. */
@Injectable()
export class UnusedFileRemoval implements OnModuleInit {
  constructor(
    private readonly files: ReportFiles,
    private readonly registry: WorkRegistry,
  ) {}

  onModuleInit(): void {
    this.registry.schedule({ name: 'report.forget_files', everySeconds: EVERY_SECONDS, run: () => this.removeAll() });
  }

  private async removeAll(): Promise<void> {
    while ((await this.files.removeUnusedBatch()) > 0);
  }
}
