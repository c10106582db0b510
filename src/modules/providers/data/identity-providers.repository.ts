import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import { IdentityProvider, type SignInFailure } from './identity-provider.entity';

export type ProviderDraft = Omit<IdentityProvider, 'id' | 'failures' | 'created'>;

export type ProviderRow = IdentityProvider & { readonly organizationName: string };

/** Of the sign-ins that were refused. */
const KEPT_FAILURES = 5;

@Injectable()
export class IdentityProvidersRepository {
  private readonly columns = sql`${this.database.columns(IdentityProvider, 'p')}, o.name AS "organizationName"`;

  constructor(private readonly database: Database) {}

  /** Without a scope: anyone may begin to sign in. */
  findById(id: string): Promise<ProviderRow | undefined> {
    return this.database.row(sql`${this.selected()} WHERE p.id = ${id}`);
  }

  findOf(scope: Scope, organizationId: number): Promise<ProviderRow | undefined> {
    return this.database.row(sql`
      ${this.selected()} WHERE p.organization_id = ${organizationId} AND ${visibleTo(scope, 'p.organization_id')}`);
  }

  listOf(organizationIds: readonly number[]): Promise<ProviderRow[]> {
    return this.database.rows(sql`
      ${this.selected()} WHERE p.organization_id = ANY(${organizationIds}::int[]) ORDER BY p.organization_id`);
  }

  async save(draft: ProviderDraft): Promise<void> {
    const repository = await this.database.repository(IdentityProvider);
    await repository.upsert(draft, ['organizationId']);
  }

  async changeNeedsVerifiedEmail(organizationId: number, needsVerifiedEmail: boolean): Promise<boolean> {
    const repository = await this.database.repository(IdentityProvider);
    return (await repository.update({ organizationId }, { needsVerifiedEmail })).affected === 1;
  }

  async remove(organizationId: number): Promise<void> {
    const repository = await this.database.repository(IdentityProvider);
    await repository.delete({ organizationId });
  }

  async addFailure(organizationId: number, failure: SignInFailure): Promise<void> {
    await this.database.change(sql`
      UPDATE identity_providers SET failures = jsonb_path_query_array(
        jsonb_build_array(${JSON.stringify(failure)}::jsonb) || failures, ${`$[0 to ${KEPT_FAILURES - 1}]`}::jsonpath)
      WHERE organization_id = ${organizationId}`);
  }

  async listAfter(id: number, limit: number): Promise<{ id: number; sealed: Buffer }[]> {
    return this.database.rows(sql`
      SELECT organization_id AS id, sealed FROM identity_providers WHERE organization_id > ${id}
      ORDER BY organization_id LIMIT ${limit}`);
  }

  /** Returns false if the secret was replaced meanwhile. */
  async reencrypt({ id, sealed }: { id: number; sealed: Buffer }, resealed: Buffer): Promise<boolean> {
    const changed = await this.database.change(
      sql`UPDATE identity_providers SET sealed = ${resealed} WHERE organization_id = ${id} AND sealed = ${sealed}`,
    );
    return changed === 1;
  }

  private selected() {
    return sql`SELECT ${this.columns} FROM identity_providers p
      JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL`;
  }
}
