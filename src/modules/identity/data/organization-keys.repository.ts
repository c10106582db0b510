import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import { Database } from '../../../platform/database/database';
import { byId, readSlice } from '../../../platform/database/list-order';
import { type Sql, sql } from '../../../platform/database/sql';
import type { KeyOfMember } from './keys.repository';

/** A key of a member as owners of the organization see it. */
export interface KeyOfOrganization extends KeyOfMember {
  /** When it no longer opens the organization. */
  readonly ends: Date | null;
}

const newestFirst = byId<KeyOfOrganization>('k.id');

const columns = sql`k.id, k.access_key AS "accessKey", k.label, k.scopes, k.created, k.last_used AS "lastUsed", u.email,
  LEAST(k.expires, c.ends) AS ends`;

/** The keys of members that open an organization. */
@Injectable()
export class OrganizationKeysRepository {
  constructor(private readonly database: Database) {}

  listForVisible(organizationId: number, now: Date, page: Page): Promise<Slice<KeyOfOrganization>> {
    const list = opening(organizationId, now);
    const rows = sql`SELECT ${columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  listAllOfVisible(organizationId: number, now: Date): Promise<KeyOfOrganization[]> {
    return this.database.rows(sql`SELECT ${columns} ${opening(organizationId, now)} ORDER BY k.id`);
  }

  listUnusedOfVisible(organizationId: number, now: Date, since: Date, limit: number): Promise<KeyOfOrganization[]> {
    return this.database.rows(sql`
      SELECT ${columns} ${opening(organizationId, now)} AND coalesce(k.last_used, k.created) < ${since} ORDER BY k.id LIMIT ${limit}`);
  }

  /** Keys that are limited to the organization end. Others no longer open it, and open the other organizations as before. */
  async endInOrganization(ids: readonly number[], organizationId: number, at: Date): Promise<void> {
    await this.database.change(sql`
      UPDATE api_keys SET expires = ${at}
      WHERE id = ANY(${ids}::int[]) AND organization_id = ${organizationId} AND (expires IS NULL OR expires > ${at})`);
    await this.database.change(sql`
      UPDATE api_key_organizations SET ends = ${at}
      WHERE key_id = ANY(${ids}::int[]) AND organization_id = ${organizationId} AND (ends IS NULL OR ends > ${at})`);
  }
}

const opening = (organizationId: number, now: Date): Sql => sql`
  FROM api_keys k JOIN users u ON u.id = k.user_id
  JOIN memberships m ON m.user_id = k.user_id AND m.organization_id = ${organizationId}
  LEFT JOIN api_key_organizations c ON c.key_id = k.id AND c.organization_id = ${organizationId}
  WHERE k.revoked IS NULL AND (k.expires IS NULL OR k.expires > ${now})
    AND (k.organization_id = ${organizationId} OR (k.organization_id IS NULL AND c.key_id IS NOT NULL))
    AND (c.ends IS NULL OR c.ends > ${now})`;
