import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { type Sql, sql } from '../../../platform/database/sql';

/** An identity that the provider of an organization made for the address of its user. */
export interface AdmittedIdentity {
  readonly id: number;
  readonly organizationId: number;
  readonly email: string;
}

@Injectable()
export class AccessPathsRepository {
  constructor(private readonly database: Database) {}

  async labelsOf(statement: Sql): Promise<string[]> {
    return (await this.database.rows<{ label: string }>(statement)).map(({ label }) => label);
  }

  /** One that was made in the transaction of its user, also before there was `admitted_email`, or for its address. */
  listAdmittedOf(userId: number): Promise<AdmittedIdentity[]> {
    return this.database.rows(sql`
      SELECT i.id, i.organization_id AS "organizationId", u.email FROM provider_identities i JOIN users u ON u.id = i.user_id
      WHERE i.user_id = ${userId} AND i.organization_id IS NOT NULL
        AND (i.admitted_email = u.folded_email OR (i.admitted_email IS NULL AND i.created = u.created))`);
  }
}
