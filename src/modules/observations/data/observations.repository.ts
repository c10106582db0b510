import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { onViolation } from '../../../platform/database/database-errors';
import { type Sql, emptySql, raw, sql } from '../../../platform/database/sql';
import { ownedIn, visibleTo } from '../../../platform/database/visible';
import { observationRunning } from '../domain/observation.errors';
import { type Observation, ObservationRow } from './observation.entity';

export type NewObservation = Pick<ObservationRow, 'uuid' | 'organizationId' | 'assetId' | 'cause'> &
  Partial<Pick<ObservationRow, 'until' | 'requestsPerSecond'>>;

/** An observation that a worker runs. */
export type BegunObservation = Observation & {
  /** By the database's clock, which also recorded the start: a worker's clock may be minutes off. */
  readonly sinceStartMs: number;
};

/** In characters. */
const MAX_NOTE_LENGTH = 2_000;

export type ObservationPart = Pick<ObservationRow, 'changes' | 'notStored' | 'note'>;

export type ObservationEnd = Pick<ObservationRow, 'hosts' | 'openPorts' | 'changes' | 'notStored' | 'note'>;

@Injectable()
export class ObservationsRepository {
  private readonly columns = this.database.columns(ObservationRow, 'o', ['attempt']);

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, uuid: string): Promise<Observation | undefined> {
    return this.one(scope, uuid, emptySql);
  }

  lockOne(scope: Scope, uuid: string): Promise<Observation | undefined> {
    return this.one(scope, uuid, raw('FOR UPDATE OF o'));
  }

  listOfVisible(uuids: readonly string[]): Promise<Observation[]> {
    return this.database.rows<Observation>(sql`
      SELECT ${this.columns} FROM observations o WHERE o.uuid = ANY(${uuids}::uuid[])`);
  }

  findUnfinishedOfVisible(assetId: number): Promise<Observation | undefined> {
    return this.database.row<Observation>(sql`
      SELECT ${this.columns} FROM observations o WHERE o.asset_id = ${assetId} AND ${unfinished}`);
  }

  findNewestOfVisible(assetId: number): Promise<Observation | undefined> {
    return this.database.row<Observation>(sql`
      SELECT ${this.columns} FROM observations o WHERE o.asset_id = ${assetId} ORDER BY o.id DESC LIMIT 1`);
  }

  /** The caller has locked the organization for counting. */
  countUnfinishedOfLocked(organizationId: number): Promise<number> {
    return this.database.count(sql`
      SELECT count(*)::int AS count FROM observations o WHERE o.organization_id = ${organizationId} AND ${unfinished}`);
  }

  async save(observation: NewObservation): Promise<void> {
    const repository = await this.database.repository(ObservationRow);
    await onViolation(repository.insert(observation), { uq_observations_asset_unfinished: observationRunning });
  }

  /** Of a new observation, or one whose worker was lost. Undefined if it is over, deleted, or a later attempt runs it. */
  begin(scope: Scope, uuid: string, attempt: number): Promise<BegunObservation | undefined> {
    return this.database.row<BegunObservation>(sql`
      UPDATE observations o SET status = 'IN_PROGRESS', attempt = ${attempt}, started = coalesce(o.started, now())
      WHERE o.uuid = ${uuid} AND ${unfinished} AND o.attempt < ${attempt} AND ${visibleTo(scope, 'o.organization_id')}
      RETURNING ${this.columns}, round(extract(epoch FROM now() - o.started) * 1000)::float8 AS "sinceStartMs"`);
  }

  /** Of the attempt that runs it. Undefined if it is over, or another attempt runs it. */
  lockCurrent(id: number, attempt: number): Promise<Observation | undefined> {
    return this.database.row<Observation>(sql`
      SELECT ${this.columns} FROM observations o
      WHERE o.id = ${id} AND o.attempt = ${attempt} AND o.status = 'IN_PROGRESS' FOR UPDATE OF o`);
  }

  /** What a part of a block showed. */
  async addPart(id: number, { changes, notStored, note }: ObservationPart): Promise<void> {
    await this.database.change(sql`
      UPDATE observations SET changes = changes + ${changes}, not_stored = not_stored + ${notStored},
        note = nullif(left(concat_ws(' ', note, ${note}::text), ${MAX_NOTE_LENGTH}), '') WHERE id = ${id}`);
  }

  /** After the last part of a block. */
  async finishBlock(
    id: number,
    hosts: number,
    openPorts: number,
  ): Promise<Pick<ObservationPart, 'changes' | 'notStored'>> {
    const row = await this.database.row<Pick<ObservationPart, 'changes' | 'notStored'>>(sql`
      UPDATE observations SET status = 'FINISHED', finished = now(), hosts = ${hosts}, open_ports = ${openPorts}
      WHERE id = ${id} RETURNING changes, not_stored AS "notStored"`);
    return row ?? { changes: 0, notStored: 0 };
  }

  /** Whether this attempt still runs it: its asset may have been deleted meanwhile. */
  async isCurrent(id: number, attempt: number): Promise<boolean> {
    const row = await this.database.row(sql`
      SELECT 1 FROM observations o WHERE o.id = ${id} AND o.attempt = ${attempt} AND o.status = 'IN_PROGRESS'`);
    return row !== undefined;
  }

  async finish(id: number, { hosts, openPorts, changes, notStored, note }: ObservationEnd): Promise<void> {
    await this.database.change(sql`
      UPDATE observations SET status = 'FINISHED', finished = now(), hosts = ${hosts}, open_ports = ${openPorts},
        changes = ${changes}, not_stored = ${notStored}, note = ${note} WHERE id = ${id}`);
  }

  async endEarly(id: number, status: 'ERROR' | 'CANCELED', error: string | null): Promise<void> {
    await this.database.change(sql`
      UPDATE observations SET status = ${status}, error = ${error}, finished = now() WHERE id = ${id}`);
  }

  removeFinished(scope: Scope, days: number, limit: number): Promise<number> {
    return this.database.change(sql`
      DELETE FROM observations WHERE (id, organization_id) IN (
        SELECT id, organization_id FROM observations WHERE finished < now() - make_interval(days => ${days})
          AND ${ownedIn(scope, 'organization_id')} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`);
  }

  private one(scope: Scope, uuid: string, rest: Sql): Promise<Observation | undefined> {
    return this.database.row<Observation>(sql`
      SELECT ${this.columns} FROM observations o WHERE o.uuid = ${uuid} AND ${visibleTo(scope, 'o.organization_id')} ${rest}`);
  }
}

const unfinished = raw(`o.status IN ('PENDING', 'IN_PROGRESS')`);
