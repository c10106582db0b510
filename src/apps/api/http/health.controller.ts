import { Controller, Get } from '@nestjs/common';
import { OpenRoute } from '../../../platform/http/operation';
import { Readiness } from '../readiness';

@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** The process answers: nothing else is asked, so that a database that is away restarts nobody. */
  @OpenRoute()
  @Get('healthz')
  alive(): { status: string } {
    return { status: 'ok' };
  }

  /** Requests are welcome: the database answers, and nobody has asked us to stop. */
  @OpenRoute()
  @Get('readyz')
  async ready(): Promise<{ status: string }> {
    await this.readiness.demand();
    return { status: 'ready' };
  }
}
