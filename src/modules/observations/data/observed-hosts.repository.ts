import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { byId, readSlice } from '../../../platform/database/list-order';
import { allOf, emptySql, raw, sql } from '../../../platform/database/sql';
import { ownedIn, visibleTo } from '../../../platform/database/visible';
import type { TechnologySeen } from '../../../engine';
import type { KnownHost, KnownPort } from '../domain/asset-change';
import type { Capacity, HostToStore, Seen } from '../domain/within-capacity';
import { ObservedHostRow } from './observed-host.entity';
import { ObservedPortRow } from './observed-port.entity';

export type HostWithPorts = ObservedHostRow & { readonly ports: readonly ObservedPortRow[] };

export interface OfAsset {
  readonly organizationId: number;
  readonly assetId: number;
}

export interface ExpiringCertificate {
  readonly assetId: number;
  readonly port: number;
  /** As the certificate states it. */
  readonly until: string;
}

export interface BlockSummary {
  /** Without those that are gone. */
  readonly hostCount: number;
  readonly openPorts: number;
  readonly ports: number[];
  readonly services: string[];
  readonly technologies: TechnologySeen[];
}

/** A number that no other code uses for an advisory lock. */
const CAPACITY_LOCK = 715_830_428;

/** Of a block; some show thousands. */
const MAX_TECHNOLOGIES = 100;

const newestFirst = byId<ObservedHostRow>('h.id');

@Injectable()
export class ObservedHostsRepository {
  private readonly columns = this.database.columns(ObservedHostRow, 'h');
  private readonly portColumns = this.database.columns(ObservedPortRow, 'p');

  constructor(private readonly database: Database) {}

  /** Of a block, those at some addresses. */
  async listKnown({ organizationId, assetId }: OfAsset, addresses?: readonly string[]): Promise<KnownHost[]> {
    const hosts = await this.database.rows<ObservedHostRow>(sql`
      SELECT ${this.columns} FROM observed_hosts h
      WHERE ${allOf([
        sql`h.asset_id = ${assetId} AND h.organization_id = ${organizationId}`,
        addresses && sql`h.address = ANY(${[...addresses]}::text[])`,
      ])} ORDER BY h.id`);
    const ports = await this.portsOf(hosts);
    return hosts.map(({ id, address, isGone, misses }) => ({
      address,
      isGone,
      misses,
      ports: ports.filter(({ hostId }) => hostId === id).map(knownPort),
    }));
  }

  /** Of each asset, the certificate that expires first among those whose expiry was reported. */
  listExpiring(scope: Scope, organizationId: number, limit: number): Promise<ExpiringCertificate[]> {
    return this.database.rows<ExpiringCertificate>(sql`
      SELECT * FROM (
        SELECT DISTINCT ON (h.asset_id) h.asset_id AS "assetId", p.port, p.certificate ->> 'until' AS until
        FROM observed_ports p JOIN observed_hosts h ON h.id = p.host_id AND h.organization_id = p.organization_id
        WHERE p.organization_id = ${organizationId} AND p.certificate_told IS NOT NULL AND p.state = 'open' AND NOT h.gone
          AND ${visibleTo(scope, 'p.organization_id')}
        ORDER BY h.asset_id, p.certificate ->> 'until') first
      ORDER BY until LIMIT ${limit}`);
  }

  async listForVisible(assetId: number, page: Page, { isPresent = false } = {}): Promise<Slice<HostWithPorts>> {
    const list = sql`FROM observed_hosts h WHERE h.asset_id = ${assetId}${isPresent ? raw(' AND NOT h.gone') : emptySql}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    const slice = await readSlice<ObservedHostRow>(this.database, page, newestFirst, { rows, list });
    const ports = await this.portsOf(slice.items);
    const items = slice.items.map((host) =>
      Object.assign(host, { ports: ports.filter(({ hostId }) => hostId === host.id) }),
    );
    return { ...slice, items };
  }

  /** What the hosts of a block show together. One technology of each version. */
  async summaryOf({ organizationId, assetId }: OfAsset): Promise<BlockSummary> {
    const present = sql`FROM observed_hosts h LEFT JOIN observed_ports p
        ON p.host_id = h.id AND p.organization_id = h.organization_id AND p.state = 'open'
      WHERE h.asset_id = ${assetId} AND h.organization_id = ${organizationId} AND NOT h.gone`;
    const counts = await this.database.row<Omit<BlockSummary, 'technologies'>>(sql`
      SELECT count(DISTINCT h.id)::int AS "hostCount", count(p.port)::int AS "openPorts",
        coalesce(array_agg(DISTINCT p.port) FILTER (WHERE p.port IS NOT NULL), '{}') AS ports,
        coalesce(array_agg(DISTINCT p.service) FILTER (WHERE p.service IS NOT NULL), '{}') AS services ${present}`);
    const technologies = await this.database.rows<{ technology: TechnologySeen }>(sql`
      SELECT DISTINCT ON (t ->> 'name', t ->> 'version') t AS technology
      FROM (SELECT p.technologies ${present}) seen CROSS JOIN LATERAL jsonb_array_elements(seen.technologies) t
      ORDER BY t ->> 'name', t ->> 'version' LIMIT ${MAX_TECHNOLOGIES}`);
    const none = { hostCount: 0, openPorts: 0, ports: [], services: [] };
    return { ...none, ...counts, technologies: technologies.map(({ technology }) => technology) };
  }

  /** By the counts of stored rows, as their limits are. Nobody else stores hosts of the organization until the transaction ends. */
  async lockCapacityOf(organizationId: number): Promise<Capacity> {
    await this.database.row(sql`SELECT pg_advisory_xact_lock(${CAPACITY_LOCK}, ${organizationId}::int)`);
    const rows = await this.database.rows<{ name: string; free: number }>(sql`
      SELECT l.name, greatest(0, l.most - coalesce(sum(s.rows), 0))::float8 AS free FROM stored_limits l
      LEFT JOIN stored_rows s ON s.table_name = l.name AND s.organization_id = ${organizationId}
      WHERE l.name IN ('observed_hosts', 'observed_ports') GROUP BY l.name, l.most`);
    const freeOf = (table: string): number => rows.find(({ name }) => name === table)?.free ?? 0;
    return { hosts: freeOf('observed_hosts'), ports: freeOf('observed_ports') };
  }

  /** The caller has checked the capacity. Ports that a host no longer has are removed. */
  async save({ organizationId, assetId }: OfAsset, hosts: readonly HostToStore[], at: Date): Promise<void> {
    if (hosts.length === 0) return;
    const seen = { firstSeen: at.toISOString(), lastSeen: at.toISOString(), organizationId };
    const rows = hosts.map(({ address, isGone, misses }) => ({ ...seen, assetId, address, isGone, misses }));
    const ids = await this.database.rows<{ id: number; address: string }>(sql`
      INSERT INTO observed_hosts ${this.database.insertedRows(ObservedHostRow, rows)}
      ON CONFLICT (asset_id, address, organization_id) DO UPDATE SET gone = excluded.gone, misses = excluded.misses,
        last_seen = CASE WHEN observed_hosts.address = ANY(${addressesSeen(hosts)}::text[]) THEN excluded.last_seen
          ELSE observed_hosts.last_seen END
      RETURNING id, address`);
    const idOf = new Map(ids.map(({ id, address }) => [address, id]));
    const ports = hosts.flatMap((host) => host.ports.map((port) => ({ hostId: idOf.get(host.address), ...port })));
    await this.database.change(sql`
      DELETE FROM observed_ports p WHERE p.host_id = ANY(${[...idOf.values()]}::int[]) AND (p.host_id, p.port) NOT IN (
        SELECT * FROM unnest(${ports.map(({ hostId }) => hostId)}::int[], ${ports.map(({ port }) => port)}::int[]))`);
    await this.savePorts(ports.map((port) => ({ ...seen, ...port })));
  }

  /** Hosts that have been gone for this long, with their ports. */
  removeGone(scope: Scope, days: number, limit: number): Promise<number> {
    return this.database.change(sql`
      DELETE FROM observed_hosts WHERE (id, organization_id) IN (
        SELECT id, organization_id FROM observed_hosts
        WHERE gone AND last_seen < now() - make_interval(days => ${days}) AND ${ownedIn(scope, 'organization_id')}
        LIMIT ${limit} FOR UPDATE SKIP LOCKED)`);
  }

  private async savePorts(
    ports: readonly (Seen<KnownPort> & { readonly hostId: number | undefined })[],
  ): Promise<void> {
    if (ports.length === 0) return;
    const rows = ports.map(({ isOpen, isSeen: _isSeen, ...port }) => ({
      ...port,
      state: isOpen ? 'open' : 'closed',
    }));
    const open = ports.filter(({ isSeen }) => isSeen);
    await this.database.change(sql`
      INSERT INTO observed_ports ${this.database.insertedRows(ObservedPortRow, rows)}
      ON CONFLICT (host_id, port, organization_id) DO UPDATE SET state = excluded.state, service = excluded.service,
        security = excluded.security, certificate = excluded.certificate, certificate_told = excluded.certificate_told,
        technologies = excluded.technologies, misses = excluded.misses,
        last_seen = CASE WHEN (observed_ports.host_id, observed_ports.port) IN (
          SELECT * FROM unnest(${open.map(({ hostId }) => hostId)}::int[], ${open.map(({ port }) => port)}::int[]))
          THEN excluded.last_seen ELSE observed_ports.last_seen END`);
  }

  private portsOf(hosts: readonly ObservedHostRow[]): Promise<ObservedPortRow[]> {
    if (hosts.length === 0) return Promise.resolve([]);
    return this.database.rows<ObservedPortRow>(sql`
      SELECT ${this.portColumns} FROM observed_ports p WHERE p.host_id = ANY(${hosts.map(({ id }) => id)}::int[])
      ORDER BY p.host_id, p.port`);
  }
}

const addressesSeen = (hosts: readonly HostToStore[]): string[] =>
  hosts.filter(({ isSeen }) => isSeen).map(({ address }) => address);

const knownPort = (row: ObservedPortRow): KnownPort => ({
  port: row.port,
  isOpen: row.state === 'open',
  service: row.service,
  security: row.security,
  certificate: row.certificate,
  notifiedDays: row.notifiedDays,
  technologies: row.technologies,
  misses: row.misses,
});
