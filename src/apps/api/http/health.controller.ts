import { Controller, Get } from '@nestjs/common';
import { OpenRoute } from '../../../platform/http/operation';
import { type LivenessResponse, Readiness, type ReadinessResponse } from '../readiness';

@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /**
   * Reports that the process runs, and is not stopping. It does not check the database, so an outage causes no restarts, and
   * gateways keep sending requests, which wait for the database.
   */
  @OpenRoute()
  @Get('healthz')
  alive(): LivenessResponse {
    return this.readiness.alive();
  }

  /**
   * Reports that the database responds, its schema is not older than this version, and the process is not stopping. `degraded`:
   * work notifications are delayed, or the schema is newer.
   */
  @OpenRoute()
  @Get('readyz')
  ready(): Promise<ReadinessResponse> {
    return this.readiness.check();
  }
}
