import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error';
import { Database } from '../../platform/database/database';
import { sql } from '../../platform/database/sql';

@Injectable()
export class Readiness {
  private stopping = false;

  constructor(private readonly database: Database) {}

  /** From now on a balancer should send its requests elsewhere. */
  stop(): void {
    this.stopping = true;
  }

  async demand(): Promise<void> {
    if (this.stopping) throw new DomainError('unavailable', 'The service is stopping.', 5);
    await this.database.row(sql`SELECT 1`);
  }
}
