import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Reservation, Reserved, SharedPace } from '../../../engine';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';

/** A process that has not renewed its slots for this long has ended. Running exchanges renew them much more often. */
const HELD_SECONDS = 10;

/**
 * How quickly all processes together talk to a host, and with how many exchanges at once. The pace is of the host,
 * whichever organization tests it; a lower one of an organization has a row of its own.
 */
@Injectable()
export class TargetPacesRepository implements SharedPace {
  private readonly holder = randomUUID();

  constructor(private readonly database: Database) {}

  /** `holders` has the slots of each process, and when they expire. A process that shares a host gets an equal part of its slots. */
  async reserve(host: string, { ms, running, wanted, most }: Reservation): Promise<Reserved> {
    const reserved = sql`make_interval(secs => ${ms}::float8 / 1000)`;
    const now = sql`extract(epoch FROM clock_timestamp())`;
    const { holder } = this;
    const held = (slots: ReturnType<typeof sql>) =>
      sql`jsonb_build_object(${holder}::text, jsonb_build_array(${slots}, ${now} + ${HELD_SECONDS}::int))`;
    const row = await this.database.row<Reserved>(sql`
      INSERT INTO target_paces AS p (host, free_from, holders)
      VALUES (${host}, clock_timestamp() + ${reserved}, ${held(sql`least(${wanted}::int, ${most}::int)`)})
      ON CONFLICT (host) DO UPDATE SET free_from = greatest(p.free_from, clock_timestamp()) + ${reserved},
        holders = (
          SELECT coalesce(jsonb_object_agg(key, value), '{}') || ${held(sql`
            greatest(${running}::int, least(${wanted}::int, ${most}::int - coalesce(sum((value->>0)::int), 0)::int,
              ceil(${most}::numeric / (count(*) + 1))::int))`)}
          FROM jsonb_each(p.holders) WHERE key <> ${holder}::text AND (value->>1)::float8 > ${now})
      RETURNING greatest(0, extract(epoch FROM free_from - ${reserved} - clock_timestamp()) * 1000)::float8 AS "waitMs",
        (holders->${holder}::text->>0)::int AS slots`);
    return row ?? { waitMs: 0, slots: most };
  }

  async leave(host: string): Promise<void> {
    await this.database.change(sql`
      UPDATE target_paces SET holders = holders - ${this.holder}::text WHERE host = ${host}`);
  }

  deletePast(_scope: Scope): Promise<number> {
    return this.database.change(sql`DELETE FROM target_paces p WHERE p.free_from < now() - interval '1 hour'`);
  }
}
