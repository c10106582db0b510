import type { Config } from '../config/load-config';
import type { DatabaseContext } from './database-context';
import { FairPool } from './database-pool';
import { parsePosition } from './wal-position';

/** A hot standby, and how far it has replayed what the primary writes. */
export class Replica {
  readonly pool: FairPool;
  /** Undefined while it does not answer, or is no standby. */
  position: bigint | undefined;
  /** Known some minutes after it has changed. */
  timeline: number | undefined;
  private isAsked = false;

  constructor(config: Config, url: string, context: DatabaseContext) {
    this.pool = new FairPool(config, url, context);
  }

  /** One question at a time: a server that hangs answers none. */
  async poll(): Promise<void> {
    if (this.isAsked) {
      this.position = undefined;
      return;
    }
    this.isAsked = true;
    try {
      const { rows } = await this.pool.query<{ position: string | null; timeline_id: number }>(
        `SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END AS position, timeline_id
         FROM pg_control_checkpoint()`,
      );
      const position = rows[0]?.position ?? null;
      this.timeline = rows[0]?.timeline_id;
      this.position = position === null ? undefined : parsePosition(position);
    } catch {
      this.position = undefined;
    } finally {
      this.isAsked = false;
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
