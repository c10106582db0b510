import { Injectable, Logger } from '@nestjs/common';
import type { HostSeen } from '../../engine';
import type { Launchable } from './launch';

type Keep = (launch: Launchable, page: HostSeen | null) => Promise<void>;

/** What the pages of jobs and retests show. The module observations, which uses this one, stores it. */
@Injectable()
export class TestedPages {
  private readonly logger = new Logger('observations');
  private keeper: Keep = async () => undefined;

  keepWith(keeper: Keep): void {
    this.keeper = keeper;
  }

  /** The test has its result, which does not depend on this. */
  async keep(launch: Launchable, page: HostSeen | null): Promise<void> {
    try {
      await this.keeper(launch, page);
    } catch (error) {
      this.logger.error(`What a test saw of asset ${launch.assetId} was not kept: ${String(error)}`);
    }
  }
}
