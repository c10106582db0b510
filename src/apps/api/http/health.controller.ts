import { Controller, Get } from '@nestjs/common';
import { OpenRoute } from '../../../platform/http/operation';
import { Readiness, type ReadinessResponse } from '../readiness';

@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** The process answers: nothing else is asked, so that a database that is away restarts nobody. */
  @OpenRoute()
  @Get('healthz')
  alive(): { status: string } {
    return { status: 'ok' };
  }

  /** Requests are welcome: the database answers, and nobody has asked us to stop. Says so too if work begins late. */
  @OpenRoute()
  @Get('readyz')
  ready(): Promise<ReadinessResponse> {
    return this.readiness.check();
  }
}
