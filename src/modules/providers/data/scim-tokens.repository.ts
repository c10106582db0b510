import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { ScimToken } from './scim-token.entity';

@Injectable()
export class ScimTokensRepository {
  constructor(private readonly database: Database) {}

  /** Without a scope: the token decides whose it is. */
  findOfProvider(providerId: string): Promise<Pick<ScimToken, 'organizationId' | 'tokenHash'> | undefined> {
    return this.database.row(sql`
      SELECT t.organization_id AS "organizationId", t.token_hash AS "tokenHash"
      FROM identity_providers p JOIN scim_tokens t ON t.organization_id = p.organization_id
      JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL WHERE p.id = ${providerId}`);
  }

  /** Needs no scope, because the caller has read the provider. */
  async createdOfVisible(organizationId: number): Promise<Date | undefined> {
    const row = await this.database.row<Pick<ScimToken, 'created'>>(
      sql`SELECT created FROM scim_tokens WHERE organization_id = ${organizationId}`,
    );
    return row?.created;
  }

  async save(token: ScimToken): Promise<void> {
    const repository = await this.database.repository(ScimToken);
    await repository.upsert(token, ['organizationId']);
  }

  /** Returns whether there was one. */
  async remove(organizationId: number): Promise<boolean> {
    const repository = await this.database.repository(ScimToken);
    return (await repository.delete({ organizationId })).affected === 1;
  }
}
