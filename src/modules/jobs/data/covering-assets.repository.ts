import { Injectable } from '@nestjs/common';
import { canonicalIp } from '../../../kernel/cidr';
import type { Scope } from '../../../platform/auth/scope';
import { Database } from '../../../platform/database/database';
import { allOf, sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import type { AssetType } from '../../assets';

export interface CoveringAsset {
  readonly id: number;
  readonly organizationId: number;
  readonly type: AssetType;
  readonly value: string;
}

/** Whose assets, and of which event's list; each narrows the search. */
export interface Among {
  readonly organizationId?: number;
  readonly eventId?: number;
}

const namesAbove = (host: string): string[] =>
  host.split('.').map((_label, index, labels) => labels.slice(index).join('.'));

@Injectable()
export class CoveringAssetsRepository {
  constructor(private readonly database: Database) {}

  /** What may cover a host, and needs no beacon to be reached: found by the beginnings of values, the last word is the rule's. */
  listCandidates(scope: Scope, host: string, { organizationId, eventId }: Among): Promise<CoveringAsset[]> {
    const name = host.includes(':') ? `[${host}]` : host;
    const urls = ['http', 'https'].flatMap((scheme) => [`${scheme}://${name}/`, `${scheme}://${name}:`]);
    return this.database.rows<CoveringAsset>(sql`
      SELECT a.id, a.organization_id AS "organizationId", a.type, a.value FROM assets a
      WHERE ${allOf([
        visibleTo(scope, 'a.organization_id'),
        sql`a.beacon_id IS NULL`,
        organizationId === undefined ? undefined : sql`a.organization_id = ${organizationId}`,
        eventId === undefined
          ? undefined
          : sql`EXISTS (SELECT 1 FROM event_scope s WHERE s.event_id = ${eventId} AND s.asset_id = a.id AND s.in_scope)`,
      ])} AND CASE a.type
          WHEN 'url' THEN a.value ^@ ANY(${urls}::text[])
          WHEN 'cidr' THEN a.value::cidr >>= ${canonicalIp(host)}::inet
          ELSE a.value = ANY(${namesAbove(host)}::text[]) END
      ORDER BY a.id`);
  }

  /** Those that the event puts out of its scope, although a wider asset may be in it. */
  listExcluded(scope: Scope, eventId: number): Promise<CoveringAsset[]> {
    return this.database.rows<CoveringAsset>(sql`
      SELECT a.id, a.organization_id AS "organizationId", a.type, a.value
      FROM event_scope s JOIN assets a ON a.id = s.asset_id
      WHERE s.event_id = ${eventId} AND NOT s.in_scope AND ${visibleTo(scope, 'a.organization_id')}`);
  }
}
