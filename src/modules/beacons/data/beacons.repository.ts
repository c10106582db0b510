import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { onViolation } from '../../../platform/database/database-errors';
import { type Sql, emptySql, raw, sql } from '../../../platform/database/sql';
import { byId, readSlice } from '../../../platform/database/list-order';
import { visibleTo } from '../../../platform/database/visible';
import { beaconNameTaken } from '../domain/beacon.errors';
import type { BeaconSettings } from '../domain/beacon-settings';
import { BEACON_STATUS } from '../domain/beacon-status';
import { Beacon } from './beacon.entity';

export type NewBeacon = BeaconSettings &
  Pick<Beacon, 'organizationId' | 'tokenHash' | 'wireguardPublicKey' | 'ratholePublicPort'>;
export type BeaconUpdate = Partial<Omit<Beacon, 'id' | 'organizationId' | 'created'>>;

/** SQL literals, because with parameters PostgreSQL does not use the partial index on these statuses. */
const online = raw(String(BEACON_STATUS.online));
const degraded = raw(String(BEACON_STATUS.degraded));

/** A number that no other code uses for an advisory lock. It serializes the assignment of ports in all organizations. */
const PORTS_LOCK = 715_830_422;

const newestFirst = byId<Beacon>('b.id');

@Injectable()
export class BeaconsRepository {
  private readonly columns = this.database.columns(Beacon, 'b');

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, organizationId: number, id: number): Promise<Beacon | undefined> {
    return this.database.row<Beacon>(this.one(scope, organizationId, id));
  }

  lockOne(scope: Scope, organizationId: number, id: number): Promise<Beacon | undefined> {
    return this.database.row<Beacon>(sql`${this.one(scope, organizationId, id)} FOR UPDATE OF b`);
  }

  /** For callers that know only the id. */
  find(scope: Scope, id: number): Promise<Beacon | undefined> {
    return this.database.row<Beacon>(this.any(scope, id));
  }

  /** With the integrator of its organization. */
  findWithOwner(scope: Scope, id: number): Promise<(Beacon & { integratorId: number | null }) | undefined> {
    return this.database.row(sql`
      SELECT ${this.columns}, o.integrator_id AS "integratorId" FROM beacons b JOIN organizations o ON o.id = b.organization_id
      WHERE b.id = ${id} AND ${visibleTo(scope, 'b.organization_id')}`);
  }

  lock(scope: Scope, id: number): Promise<Beacon | undefined> {
    return this.database.row<Beacon>(sql`${this.any(scope, id)} FOR UPDATE OF b`);
  }

  listForVisible(organizationId: number, page: Page, isSilent: boolean): Promise<Slice<Beacon>> {
    const silent = isSilent ? sql` AND b.status IN (${BEACON_STATUS.degraded}, ${BEACON_STATUS.offline})` : emptySql;
    const list = sql`FROM beacons b WHERE b.organization_id = ${organizationId}${silent}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  /** How many beacons an organization has, and whether one of them has this name. */
  async countInLocked(organizationId: number, name: string): Promise<{ beacons: number; isTaken: boolean }> {
    const row = await this.database.row<{ beacons: number; isTaken: boolean }>(sql`
      SELECT count(*)::int AS beacons, coalesce(bool_or(name = ${name}), false) AS "isTaken"
      FROM beacons WHERE organization_id = ${organizationId}`);
    return row ?? { beacons: 0, isTaken: false };
  }

  /**
   * A free port, reserved until this transaction ends; undefined if there is none. It is random, because the first free port
   * would reveal how many beacons other organizations have.
   */
  async takePort(first: number, last: number): Promise<number | undefined> {
    await this.database.row(sql`SELECT pg_advisory_xact_lock(${PORTS_LOCK})`);
    const free = await this.database.row<{ port: number }>(sql`
      SELECT port FROM generate_series(${first}::int, ${last}::int) port
      WHERE NOT EXISTS (SELECT 1 FROM beacons WHERE rathole_public_port = port) ORDER BY random() LIMIT 1`);
    return free?.port;
  }

  async save(beacon: NewBeacon): Promise<number> {
    const repository = await this.database.repository(Beacon);
    const { identifiers } = await onViolation(repository.insert(beacon), { uq_beacons_name: beaconNameTaken });
    return (identifiers[0] as { id: number }).id;
  }

  async change(id: number, change: BeaconUpdate): Promise<void> {
    const repository = await this.database.repository(Beacon);
    await onViolation(repository.update({ id }, change), { uq_beacons_name: beaconNameTaken });
  }

  async remove(id: number): Promise<void> {
    const repository = await this.database.repository(Beacon);
    await repository.delete({ id });
  }

  /** Without a scope, because the beacon is authenticated. */
  touch(id: number, at: Date, agentVersion: string | null): Promise<Beacon | undefined> {
    return this.database.row<Beacon>(sql`
      UPDATE beacons b SET last_report = ${at}, agent_version = coalesce(${agentVersion}, b.agent_version)
      WHERE b.id = ${id} RETURNING ${this.columns}`);
  }

  /** Online beacons without a report since `degradedSince`, and degraded beacons without one since `offlineSince`. */
  findWithMissedReports(scope: Scope, degradedSince: Date, offlineSince: Date, limit: number) {
    return this.database.rows<Pick<Beacon, 'id' | 'organizationId'>>(sql`
      SELECT b.id, b.organization_id AS "organizationId" FROM beacons b
      WHERE (b.status = ${online} AND b.last_report < ${degradedSince} OR b.status = ${degraded} AND b.last_report < ${offlineSince})
        AND ${visibleTo(scope, 'b.organization_id')}
      ORDER BY b.last_report LIMIT ${limit}`);
  }

  private one(scope: Scope, organizationId: number, id: number): Sql {
    return sql`${this.any(scope, id)} AND b.organization_id = ${organizationId}`;
  }

  private any(scope: Scope, id: number): Sql {
    return sql`SELECT ${this.columns} FROM beacons b WHERE b.id = ${id} AND ${visibleTo(scope, 'b.organization_id')}`;
  }
}
