import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error';
import { Database } from '../../platform/database/database';
import { sql } from '../../platform/database/sql';
import { WorkNotifier } from '../../platform/work/work-notifier';

export interface ReadinessResponse {
  readonly status: 'ready' | 'degraded';
  readonly description?: string;
}

@Injectable()
export class Readiness {
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly notifier: WorkNotifier,
  ) {}

  /** From now on a load balancer should use other processes. */
  stop(): void {
    this.stopping = true;
  }

  /** Fails without the database. Delayed work notifications only degrade the service. */
  async check(): Promise<ReadinessResponse> {
    if (this.stopping) throw new DomainError('unavailable', 'The service is stopping.', 5);
    await this.database.row(sql`SELECT 1`);
    const { degradedReason } = this.notifier;
    return degradedReason === undefined ? { status: 'ready' } : { status: 'degraded', description: degradedReason };
  }
}
