import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkRegistry } from '../../../platform/work/work-registry';
import { UploadsRepository } from '../data/uploads.repository';

/** Removes uploads whose process was killed, so that nothing of them is left. */
@Injectable()
export class UploadRemoval implements OnModuleInit {
  constructor(
    private readonly uploads: UploadsRepository,
    private readonly registry: WorkRegistry,
  ) {}

  onModuleInit(): void {
    this.registry.schedule({ name: 'imports.remove_abandoned', everySeconds: 60, run: () => this.run() });
  }

  private async run(): Promise<void> {
    while ((await this.uploads.removeAbandoned()) > 0);
  }
}
