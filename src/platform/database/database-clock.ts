import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { Metrics } from '../metrics/metrics';
import { Database } from './database';
import { sql } from './sql';

interface Measurement {
  /** The time of the database, in milliseconds since 1970, and of the monotonic clock of this process at that moment. */
  readonly time: number;
  readonly at: number;
  readonly errorMs: number;
}

/** Clocks that differ by more are reported. */
const REPORTED_MS = 5_000;
/** A measurement that is as exact as this replaces an earlier one. */
const EXACT_MS = 50;
const ROUNDING_MS = 2;

/**
 * The time of the database, which all processes share: as it was when it was last asked, and the time that has passed since by
 * a clock that nobody sets. The clock of this process counts while it agrees with it.
 */
@Injectable()
export class DatabaseClock extends Clock implements OnModuleInit {
  private measured: Measurement | null = null;

  constructor(
    private readonly database: Database,
    metrics: Metrics,
  ) {
    super();
    const difference = metrics.gauge({
      name: 'assay_clock_difference_seconds',
      help: 'By how much the clock of this process is ahead of that of the database',
    });
    metrics.onScrape('clock', [difference], async () => {
      await this.measure();
      return () => difference.set({}, this.differenceMs / 1_000);
    });
  }

  /** Without the database, the clock of this process counts until it answers. */
  async onModuleInit(): Promise<void> {
    await this.measure().catch(() => undefined);
  }

  override now(): Date {
    return this.time();
  }

  /** Unlike `now`, which tests set, the measured time. */
  time(): Date {
    return new Date(Date.now() - this.differenceMs);
  }

  /** How far the clock of this process is ahead of that of the database; 0 if they agree as far as that is known. */
  get differenceMs(): number {
    if (this.measured === null) return 0;
    const difference = Date.now() - timeOf(this.measured, performance.now());
    return Math.abs(difference) <= this.measured.errorMs ? 0 : Math.round(difference);
  }

  /** The difference if it is large enough to be reported; else null. */
  get reportedDifferenceMs(): number | null {
    const { differenceMs } = this;
    return Math.abs(differenceMs) > REPORTED_MS ? differenceMs : null;
  }

  /** Asks the database for its time. Workers do so whenever they claim work or renew a lease. */
  async measure(): Promise<void> {
    const before = performance.now();
    const row = await this.database.row<{ time: number }>(
      sql`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS time`,
    );
    const at = performance.now();
    if (row === undefined) return;
    const halfMs = (at - before) / 2;
    const measured = { time: row.time + halfMs, at, errorMs: halfMs + ROUNDING_MS };
    if (this.measured === null || replaces(measured, this.measured)) this.measured = measured;
  }
}

const timeOf = ({ time, at }: Measurement, now: number): number => time + now - at;

/** A slow answer is less exact, so it counts only if the clock of the database was changed. */
const replaces = (one: Measurement, earlier: Measurement): boolean =>
  one.errorMs <= Math.max(earlier.errorMs, EXACT_MS) ||
  Math.abs(one.time - timeOf(earlier, one.at)) > one.errorMs + earlier.errorMs;
