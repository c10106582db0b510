import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { type OwnFactors, ownFactors } from './own-factors';
import { requiresProvider } from './requires-provider';
import { SignInRules } from './sign-in-rules.entity';

/** The rules of an organization that a new key would open. */
export interface RulesForKey extends SignInRules, OwnFactors {
  readonly name: string;
  readonly isMember: boolean;
  /** Whether the organization's own provider, which asks for a factor of its own, vouches for the user. */
  readonly isByOwnProvider: boolean;
}

interface KeyToMake {
  readonly userId: number;
  /** The only organization of the key. */
  readonly organizationId: number | null;
  readonly parentId: number | null;
  /** The identity at a provider that the key ends with. */
  readonly identityId: number | null;
}

const NO_RULES = {
  secondFactor: 'off',
  secondFactorFrom: null,
  idleMinutes: null,
  sessionMinutes: null,
  keyDays: null,
  allowedScopes: null,
} as const;

@Injectable()
export class SignInRulesRepository {
  private readonly columns = this.database.columns(SignInRules, 'r');

  constructor(private readonly database: Database) {}

  async getOfVisible(organizationId: number): Promise<SignInRules> {
    const found = await this.database.row<SignInRules>(
      sql`SELECT ${this.columns} FROM sign_in_rules r WHERE r.organization_id = ${organizationId}`,
    );
    return found ?? { organizationId, ...NO_RULES };
  }

  async save(rules: SignInRules): Promise<void> {
    const repository = await this.database.repository(SignInRules);
    await repository.upsert(rules, ['organizationId']);
  }

  listForKey({ userId, organizationId, parentId, identityId }: KeyToMake): Promise<RulesForKey[]> {
    return this.database.rows(sql`
      SELECT ${this.columns}, o.name, m.user_id IS NOT NULL AS "isMember",
        ${ownFactors(userId)},
        EXISTS (SELECT 1 FROM provider_identities i WHERE i.id = ${identityId}::int AND i.organization_id = r.organization_id)
          AS "isByOwnProvider"
      FROM sign_in_rules r JOIN organizations o ON o.id = r.organization_id AND o.deleted_at IS NULL
      LEFT JOIN memberships m ON m.organization_id = r.organization_id AND m.user_id = ${userId}
      WHERE CASE WHEN ${organizationId}::int IS NOT NULL THEN r.organization_id = ${organizationId}::int
        ELSE m.user_id IS NOT NULL AND NOT ${requiresProvider} AND (${parentId}::int IS NULL OR EXISTS (SELECT 1 FROM api_key_organizations c
          WHERE c.key_id = ${parentId}::int AND c.organization_id = r.organization_id)) END
      ORDER BY r.organization_id`);
  }
}
