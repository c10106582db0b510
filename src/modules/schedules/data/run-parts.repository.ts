import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import type { Obstacle, PartResult, RunEnd, What } from '../domain/vocabulary';
import { RunPart } from './run-part.entity';

export type NewPart = Pick<RunPart, 'assetId' | 'findingId'>;

/** The parts of runs that a worker has read. */
@Injectable()
export class RunPartsRepository {
  private readonly columns = this.database.columns(RunPart, 'p');

  constructor(private readonly database: Database) {}

  async save(organizationId: number, runId: number, parts: readonly NewPart[]): Promise<void> {
    const assets = parts.map(({ assetId }) => assetId);
    const findings = parts.map(({ findingId }) => findingId);
    await this.database.change(sql`
      INSERT INTO schedule_run_parts (organization_id, run_id, asset_id, finding_id)
      SELECT ${organizationId}, ${runId}, asset_id, finding_id
      FROM unnest(${assets}::int[], ${findings}::int[]) AS parts (asset_id, finding_id)`);
  }

  listStartedOf(runId: number): Promise<RunPart[]> {
    return this.listOf(runId, 'started', 1_000);
  }

  listWaitingOf(runId: number, limit: number): Promise<RunPart[]> {
    return this.listOf(runId, 'waiting', limit);
  }

  /** Those of all schedules of the organization that start the same, because they share its places. */
  countStartedOf(organizationId: number, what: What): Promise<number> {
    return this.database.count(sql`
      SELECT count(*)::int AS count FROM schedule_run_parts p
      JOIN schedule_runs ru ON ru.id = p.run_id AND ru.organization_id = p.organization_id
      JOIN schedules s ON s.id = ru.schedule_id AND s.organization_id = p.organization_id AND s.what = ${what}
      WHERE p.organization_id = ${organizationId} AND p.status = 'started'`);
  }

  /** Undefined if another worker has started it. */
  lockWaiting(id: string): Promise<RunPart | undefined> {
    return this.database.row<RunPart>(
      sql`SELECT ${this.columns} FROM schedule_run_parts p WHERE p.id = ${id} AND p.status = 'waiting' FOR UPDATE`,
    );
  }

  async saveStarted(id: string, reference: string): Promise<void> {
    await this.database.change(
      sql`UPDATE schedule_run_parts SET status = 'started', reference = ${reference} WHERE id = ${id}`,
    );
  }

  async saveRefused(id: string, reason: string): Promise<void> {
    await this.database.change(sql`
      UPDATE schedule_run_parts SET status = 'refused', result = 'refused', reason = ${reason} WHERE id = ${id} AND status = 'waiting'`);
  }

  async saveOver(id: string, result: PartResult, reason: string | null): Promise<void> {
    await this.database.change(sql`
      UPDATE schedule_run_parts SET status = 'over', result = ${result}, reason = ${reason}
      WHERE id = ${id} AND status = 'started'`);
  }

  /** The end of a window stopped it: it starts again in the next one. */
  async saveInterrupted(id: string): Promise<void> {
    await this.database.change(sql`
      UPDATE schedule_run_parts SET status = 'waiting', reference = NULL, interruptions = interruptions + 1
      WHERE id = ${id} AND status = 'started'`);
  }

  /** The end of a window left some checks of its job, which the next window goes on with. */
  async saveUnfinished({ id, checksLeft: before }: RunPart, checksLeft: readonly string[]): Promise<void> {
    const isProgress = before === null || checksLeft.length < before.length;
    await this.database.change(sql`
      UPDATE schedule_run_parts SET status = 'waiting', reference = NULL, checks_left = ${checksLeft}::text[],
        interruptions = interruptions + ${isProgress ? 0 : 1}
      WHERE id = ${id} AND status = 'started'`);
  }

  async refuseWaitingOf(runId: number, reason: string): Promise<void> {
    await this.database.change(sql`
      UPDATE schedule_run_parts SET status = 'refused', result = 'refused', reason = ${reason} WHERE run_id = ${runId} AND status = 'waiting'`);
  }

  async isOver(runId: number): Promise<boolean> {
    const row = await this.database.row(sql`
      SELECT 1 FROM schedule_run_parts WHERE run_id = ${runId} AND status IN ('waiting', 'started') LIMIT 1`);
    return row === undefined;
  }

  /** The numbers of a run whose parts are over; removes the parts. The caller has locked the run. */
  async takeEnd(runId: number, maxObstacles: number): Promise<RunEnd> {
    const results = await this.database.rows<{ result: string; parts: number }>(sql`
      SELECT result, count(*)::int AS parts
      FROM schedule_run_parts WHERE run_id = ${runId} GROUP BY 1 ORDER BY 1`);
    const obstacles = await this.database.rows<Obstacle>(sql`
      SELECT reason, count(*)::int AS parts FROM schedule_run_parts WHERE run_id = ${runId} AND reason IS NOT NULL
      GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${maxObstacles}`);
    await this.database.change(sql`DELETE FROM schedule_run_parts WHERE run_id = ${runId}`);
    const parts = results.reduce((sum, one) => sum + one.parts, 0);
    return { parts, results: Object.fromEntries(results.map((one) => [one.result, one.parts])), obstacles };
  }

  private listOf(runId: number, status: RunPart['status'], limit: number): Promise<RunPart[]> {
    return this.database.rows<RunPart>(sql`
      SELECT ${this.columns} FROM schedule_run_parts p WHERE p.run_id = ${runId} AND p.status = ${status}
      ORDER BY p.id LIMIT ${limit}`);
  }
}
