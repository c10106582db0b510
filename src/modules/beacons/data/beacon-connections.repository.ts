import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { Transactions } from '../../../platform/database/transactions';
import { raw, sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import { Beacon } from './beacon.entity';
import { BeaconConnection } from './beacon-connection.entity';

export type NewConnection = Omit<BeaconConnection, 'id' | 'draining' | 'connected' | 'leaseUntil'>;

/** A connection whose lease was renewed, with the current record of its beacon. */
export type RenewedConnection = Beacon & { readonly connectionId: string };

/** By the clock of the database, which all processes share. Workers trust a connection only until its lease ends. */
const LEASE = raw(`now() + interval '10 seconds'`);

@Injectable()
export class BeaconConnectionsRepository {
  private readonly columns = this.database.columns(Beacon, 'b');
  private readonly ownColumns = this.database.columns(BeaconConnection, 'c');

  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
  ) {}

  /** The id of the new connection; undefined if the beacon already has `most`. Removes those whose process is gone. */
  async save(connection: NewConnection, most: number): Promise<string | undefined> {
    const { beaconId, organizationId, processId, relayHost, relayPort, agentVersion, agentAddress } = connection;
    return this.transactions.run(
      async () => {
        // Agents that connect at the same time are counted one after the other.
        await this.database.row(sql`SELECT 1 AS one FROM beacons WHERE id = ${beaconId} FOR NO KEY UPDATE`);
        await this.database.change(sql`
          DELETE FROM beacon_connections WHERE beacon_id = ${beaconId} AND lease_until < now()`);
        const row = await this.database.row<{ id: string }>(sql`
      INSERT INTO beacon_connections
        (organization_id, beacon_id, process_id, relay_host, relay_port, agent_version, agent_address, lease_until)
      SELECT ${organizationId}, ${beaconId}, ${processId}::uuid, ${relayHost}, ${relayPort}::int, ${agentVersion},
        ${agentAddress}, ${LEASE}
      WHERE (SELECT count(*) FROM beacon_connections WHERE beacon_id = ${beaconId}) < ${most}::int
      RETURNING id::text`);
        return row?.id;
      },
      () => undefined,
    );
  }

  /** Renews the leases of a process. Connections of beacons that were deleted are missing in the result. */
  renew(scope: Scope, processId: string, ids: readonly string[]): Promise<RenewedConnection[]> {
    return this.database.rows<RenewedConnection>(sql`
      UPDATE beacon_connections c SET lease_until = ${LEASE} FROM beacons b
      WHERE c.process_id = ${processId}::uuid AND c.id = ANY(${ids}::bigint[])
        AND b.id = c.beacon_id AND b.organization_id = c.organization_id AND ${visibleTo(scope, 'b.organization_id')}
      RETURNING c.id::text AS "connectionId", ${this.columns}`);
  }

  async drain(id: string): Promise<void> {
    await this.database.change(sql`UPDATE beacon_connections SET draining = true WHERE id = ${id}::bigint`);
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.database.change(sql`DELETE FROM beacon_connections WHERE id = ANY(${ids}::bigint[])`);
  }

  /** The newest connection that takes new streams. */
  findNewest(scope: Scope, organizationId: number, beaconId: number): Promise<BeaconConnection | undefined> {
    return this.database.row<BeaconConnection>(sql`
      SELECT ${this.ownColumns} FROM beacon_connections c
      WHERE c.beacon_id = ${beaconId} AND c.organization_id = ${organizationId} AND c.lease_until > now()
        AND NOT c.draining AND ${visibleTo(scope, 'c.organization_id')}
      ORDER BY c.id DESC LIMIT 1`);
  }

  /** Those of these beacons of an organization that the caller sees, which have a connection. */
  async listConnectedOfVisible(organizationId: number, beaconIds: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT DISTINCT c.beacon_id AS id FROM beacon_connections c
      WHERE c.organization_id = ${organizationId} AND c.beacon_id = ANY(${beaconIds}::int[]) AND c.lease_until > now()`);
    return new Set(rows.map(({ id }) => id));
  }
}
