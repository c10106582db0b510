import type { Client } from './client';
import { query } from './database';
import { type Factories, type Tenant, unique } from './factories';

interface TargetRow {
  readonly id: number;
  readonly assetId: number;
  readonly origin: string | null;
  readonly state: string;
  readonly runs: number;
  readonly work: string | null;
}

/** A machine event that runs. Its work is left to workers, or to `endWork`. */
export class PlannedEvent {
  private constructor(
    private readonly make: Factories,
    readonly tenant: Tenant,
    readonly admin: Client,
    readonly id: number,
    readonly slug: string,
  ) {}

  static async begin(make: Factories, draft: object = {}): Promise<PlannedEvent> {
    const tenant = await make.organization();
    const { client: admin } = await tenant.as('admin');
    const body = { name: unique('Event'), event_type: 1, event_category: 1, ...draft };
    const created = await admin.post(`/v1/organizations/${tenant.id}/events/`, body);
    if (created.status !== 201) throw new Error(created.text);
    const { id, slug } = created.body;
    await query(`UPDATE events SET status = 'running' WHERE id = $1`, [id]);
    return new PlannedEvent(make, tenant, admin, id, slug);
  }

  /** The page of a URL is the only origin of its asset. Without one, that of a domain which nobody answers for. */
  async addUrl(url?: string): Promise<number> {
    const value = url ?? `https://${(await this.make.domain(this.tenant.id, { verified: true })).value}/`;
    const { id } = await this.make.asset(this.tenant.id, { value, type: 'url' });
    const path = `/v1/events/${this.slug}/scope/assets/`;
    const added = await this.admin.post(path, { asset_id: id, in_scope: true });
    if (added.status !== 201) throw new Error(added.text);
    return id;
  }

  async removeFromScope(assetId: number): Promise<void> {
    const removed = await this.admin.delete(`/v1/events/${this.slug}/scope/assets/${assetId}`);
    if (removed.status !== 200) throw new Error(removed.text);
  }

  async change(status: string): Promise<void> {
    const changed = await this.admin.post(`/v1/events/${this.slug}/status`, { status });
    if (changed.status !== 200) throw new Error(changed.text);
  }

  /** In the order of their addition, assets before their origins. */
  targets(): Promise<TargetRow[]> {
    return query<TargetRow>(
      `SELECT id, asset_id AS "assetId", origin, state, runs, work FROM event_targets WHERE event_id = $1
       ORDER BY origin IS NOT NULL, asset_id, id`,
      [this.id],
    );
  }

  /** Its observations, jobs and retests: all that exist, and those of them with another status. */
  async startedExcept(status: string): Promise<{ started: number; others: number }> {
    const [row] = await query<{ started: number; others: number }>(
      `SELECT count(*)::int AS started, count(*) FILTER (WHERE upper(status) <> $2)::int AS others FROM (
         SELECT status FROM observations WHERE organization_id = $1
         UNION ALL SELECT status FROM jobs WHERE organization_id = $1
         UNION ALL SELECT status FROM retests WHERE organization_id = $1) started`,
      [this.tenant.id, status],
    );
    return row ?? { started: 0, others: 0 };
  }

  /** The states of its work of a kind, in the order of their start. */
  async workOf(kind: string): Promise<string[]> {
    const rows = await query<{ state: string }>(
      'SELECT state FROM work WHERE event_id = $1 AND kind = $2 ORDER BY id',
      [this.id, kind],
    );
    return rows.map(({ state }) => state);
  }

  /** As workers end what waits, at this time. */
  async endWork(at: Date): Promise<void> {
    await query(
      `UPDATE observations SET status = 'FINISHED', finished = $2 WHERE organization_id = $1 AND status = 'PENDING'`,
      [this.tenant.id, at],
    );
    await query(
      `UPDATE jobs SET status = 'FINISHED', started = $2, finished = $2 WHERE event_id = $1 AND status = 'PENDING'`,
      [this.id, at],
    );
    await query(`UPDATE work SET state = 'done', finished = now() WHERE event_id = $1 AND state = 'waiting'`, [
      this.id,
    ]);
  }
}

/** Nothing of the events and schedules of a test goes on in the next one. */
export async function stopEventsAndSchedules(): Promise<void> {
  await query('UPDATE events SET automatic = false, report_at_end = false WHERE automatic OR report_at_end');
  await query(`UPDATE schedules SET status = 'paused', next_due = NULL`);
  await query('UPDATE schedule_runs SET next_step = NULL');
  await query(
    `UPDATE work SET state = 'canceled', finished = now(), lease_until = NULL WHERE state IN ('waiting', 'running')`,
  );
}
