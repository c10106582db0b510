import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { onViolation } from '../../../platform/database/database-errors';
import { type Sql, raw, sql } from '../../../platform/database/sql';
import { byId, readSlice } from '../../../platform/database/list-order';
import { visibleTo } from '../../../platform/database/visible';
import { discoveryRunning } from '../domain/discovery.errors';
import { type Candidate, type Discovery, DiscoveryRow } from './discovery.entity';

export type NewDiscovery = Pick<DiscoveryRow, 'uuid' | 'organizationId' | 'beaconId' | 'cidrs' | 'ports' | 'hosts'>;

/** A discovery that a worker runs. */
export type BegunDiscovery = Discovery & {
  readonly candidates: readonly Candidate[];
  /** By the database's clock, which also recorded the start: a worker's clock may be minutes off. */
  readonly sinceStartMs: number;
};

export interface SearchProgress {
  readonly hostsDone: number;
  readonly hostsSkipped: number;
  readonly candidates: readonly Candidate[];
}

export type DiscoveryEnd = SearchProgress & Pick<DiscoveryRow, 'status' | 'error'>;

/** Where a discovery is, as its path names it. */
export interface DiscoveryPlace {
  readonly organizationId: number;
  readonly beaconId: number;
  readonly uuid: string;
}

const newestFirst = byId<Discovery>('d.id');

const unfinished = raw(`status IN ('PENDING', 'IN_PROGRESS')`);

@Injectable()
export class DiscoveriesRepository {
  private readonly columns = sql`
    ${this.database.columns(DiscoveryRow, 'd', ['candidates', 'attempt'])},
    json_array_length(d.candidates) AS "hostsAnswered"`;
  private readonly begun = sql`
    ${this.columns}, d.candidates, round(extract(epoch FROM now() - d.started) * 1000)::float8 AS "sinceStartMs"`;

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, place: DiscoveryPlace): Promise<Discovery | undefined> {
    return this.database.row<Discovery>(sql`SELECT ${this.columns} ${from(scope, place)}`);
  }

  findWithCandidates(
    scope: Scope,
    place: DiscoveryPlace,
  ): Promise<(Discovery & Pick<DiscoveryRow, 'candidates'>) | undefined> {
    return this.database.row(sql`SELECT ${this.columns}, d.candidates ${from(scope, place)}`);
  }

  lockOne(scope: Scope, place: DiscoveryPlace): Promise<Discovery | undefined> {
    return this.database.row<Discovery>(sql`SELECT ${this.columns} ${from(scope, place)} FOR UPDATE OF d`);
  }

  listForVisible(organizationId: number, beaconId: number, page: Page): Promise<Slice<Discovery>> {
    const list = sql`
      FROM beacon_discoveries d WHERE d.organization_id = ${organizationId} AND d.beacon_id = ${beaconId}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  async save(discovery: NewDiscovery): Promise<void> {
    const repository = await this.database.repository(DiscoveryRow);
    await onViolation(repository.insert(discovery), { uq_beacon_discoveries_unfinished: discoveryRunning });
  }

  /** Removes all but the newest of a beacon. */
  async removeOldOf({ organizationId, beaconId }: NewDiscovery, kept: number): Promise<void> {
    const ofBeacon = sql`organization_id = ${organizationId} AND beacon_id = ${beaconId}`;
    await this.database.change(sql`
      DELETE FROM beacon_discoveries WHERE ${ofBeacon} AND NOT ${unfinished} AND id NOT IN (
        SELECT id FROM beacon_discoveries WHERE ${ofBeacon} ORDER BY id DESC LIMIT ${kept})`);
  }

  /** Returns the discovery as it is then; undefined if it has begun before or is over. */
  begin(scope: Scope, uuid: string, attempt: number): Promise<BegunDiscovery | undefined> {
    return this.take(scope, uuid, attempt, sql`d.status = 'PENDING'`);
  }

  /** A discovery in progress, whose worker was lost. */
  resume(scope: Scope, uuid: string, attempt: number): Promise<BegunDiscovery | undefined> {
    return this.take(scope, uuid, attempt, sql`d.status = 'IN_PROGRESS' AND d.attempt < ${attempt}`);
  }

  /** Returns false if the attempt is no longer current, or the discovery is over or deleted. */
  async saveProgress(id: number, attempt: number, progress: SearchProgress): Promise<boolean> {
    const saved = await this.database.change(sql`
      UPDATE beacon_discoveries SET ${progressOf(progress)}
      WHERE id = ${id} AND attempt = ${attempt} AND status = 'IN_PROGRESS'`);
    return saved === 1;
  }

  async end(id: number, { status, error, ...progress }: DiscoveryEnd): Promise<void> {
    await this.database.change(sql`
      UPDATE beacon_discoveries SET status = ${status}, error = ${error}, finished = now(), ${progressOf(progress)}
      WHERE id = ${id}`);
  }

  /** What was found so far stays. */
  async endEarly(id: number, status: 'ERROR' | 'CANCELED', error: string | null): Promise<void> {
    await this.database.change(sql`
      UPDATE beacon_discoveries SET status = ${status}, error = ${error}, finished = now() WHERE id = ${id}`);
  }

  /** For workers, which know only the UUID. */
  lockByUuid(scope: Scope, uuid: string): Promise<Discovery | undefined> {
    return this.database.row<Discovery>(sql`
      SELECT ${this.columns} FROM beacon_discoveries d
      WHERE d.uuid = ${uuid} AND ${visibleTo(scope, 'd.organization_id')} FOR UPDATE OF d`);
  }

  private take(scope: Scope, uuid: string, attempt: number, condition: Sql): Promise<BegunDiscovery | undefined> {
    return this.database.row<BegunDiscovery>(sql`
      UPDATE beacon_discoveries d
      SET status = 'IN_PROGRESS', attempt = ${attempt}, started = coalesce(d.started, now())
      WHERE d.uuid = ${uuid} AND ${condition} AND ${visibleTo(scope, 'd.organization_id')}
      RETURNING ${this.begun}`);
  }
}

const from = (scope: Scope, { organizationId, beaconId, uuid }: DiscoveryPlace): Sql => sql`
  FROM beacon_discoveries d
  WHERE d.uuid = ${uuid} AND d.organization_id = ${organizationId} AND d.beacon_id = ${beaconId}
    AND ${visibleTo(scope, 'd.organization_id')}`;

const progressOf = ({ hostsDone, hostsSkipped, candidates }: SearchProgress): Sql => sql`
  hosts_done = ${hostsDone}, hosts_skipped = ${hostsSkipped}, candidates = ${JSON.stringify(candidates)}`;
