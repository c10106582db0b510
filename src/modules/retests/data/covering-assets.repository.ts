import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { allOf, join, raw, type Sql, sql } from '../../../platform/database/sql';
import { visibleOrganization } from '../../../platform/database/visible';
import { type Asset, valuesCovering } from '../../assets';
import type { ScopedAsset } from '../../events';

export interface CoveringAsset
  extends ScopedAsset, Pick<Asset, 'activeTests' | 'requestsPerSecond' | 'allowedPaths' | 'forbiddenPaths'> {
  readonly id: number;
  readonly organizationId: number;
}

/** Limits the search to an organization, or to the scope of an event. */
export interface SearchLimits {
  readonly organizationId?: number;
  readonly eventId?: number;
  /** Where the assets are; null for the Internet. */
  readonly beaconId: number | null;
}

const columns = raw(
  'a.id, a.organization_id, a.beacon_id, a.type, a.value, a.active_tests, a.requests_per_second, a.allowed_paths, a.forbidden_paths',
);
const value = raw('a.value COLLATE "C"');

/**
 * The assets of each organization that may cover a host, by the index of values. One SELECT per condition: with OR PostgreSQL
 * would not use the index and would read all assets of the organization.
 */
function candidatesOf(host: string): Sql {
  const { values, ranges } = valuesCovering(host);
  const places = [
    sql`${value} = ANY(${values}::text[])`,
    ...ranges.map(({ from, below }) => sql`${value} >= ${from} AND ${value} < ${below}`),
  ];
  return join(
    places.map((place) => sql`SELECT ${columns} FROM assets a WHERE a.organization_id = visible.id AND ${place}`),
    ' UNION ALL ',
  );
}

@Injectable()
export class CoveringAssetsRepository {
  constructor(private readonly database: Database) {}

  /** Assets behind a beacon, or behind none, that may cover a host; the launch rule decides. */
  listCandidates(
    scope: Scope,
    host: string,
    { organizationId, eventId, beaconId }: SearchLimits,
  ): Promise<CoveringAsset[]> {
    return this.list(scope, host, eventId === undefined ? unlisted : listedBy(eventId, true), [
      sql`a.beacon_id IS NOT DISTINCT FROM ${beaconId}`,
      organizationId === undefined ? undefined : sql`visible.id = ${organizationId}`,
    ]);
  }

  /**
   * Assets that the event excludes, although a wider asset may be in its scope. An asset behind another beacon is another
   * host. Without a beacon every excluded asset counts, because a name may lead to the same host from the Internet.
   */
  listExcluded(scope: Scope, host: string, eventId: number, beaconId: number | null): Promise<CoveringAsset[]> {
    return this.list(scope, host, listedBy(eventId, false), [
      beaconId === null ? undefined : sql`(a.beacon_id IS NULL OR a.beacon_id = ${beaconId})`,
    ]);
  }

  private list(
    scope: Scope,
    host: string,
    entries: Sql,
    conditions: readonly (Sql | undefined)[] = [],
  ): Promise<CoveringAsset[]> {
    return this.database.rows<CoveringAsset>(sql`
      SELECT a.id, a.organization_id AS "organizationId", a.type, a.value, s.wildcard,
        a.active_tests AS "activeTests", a.requests_per_second AS "requestsPerSecond",
        a.allowed_paths AS "allowedPaths", a.forbidden_paths AS "forbiddenPaths"
      FROM organizations visible CROSS JOIN LATERAL (${candidatesOf(host)}) a JOIN ${entries}
      WHERE ${allOf([visibleOrganization(scope, 'visible'), ...conditions])} ORDER BY a.id`);
  }
}

const listedBy = (eventId: number, inScope: boolean): Sql =>
  sql`event_scope s ON s.event_id = ${eventId} AND s.asset_id = a.id AND s.organization_id = a.organization_id AND s.in_scope = ${inScope}`;

/** Without an event there is no wildcard setting. */
const unlisted = raw('(SELECT NULL::boolean AS wildcard) s ON true');
