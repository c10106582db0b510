import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A key opens the organizations that its user had when it was made. Keys that exist now get those that their user has now, and
 * the user and the owners are shown the ones that had no limit.
 */
export class BindKeysToMemberships1795400000000 implements MigrationInterface {
  name = 'BindKeysToMemberships1795400000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

const IS_USABLE = 'k.revoked IS NULL AND (k.expires IS NULL OR k.expires > now())';

const statements = [
  // Of keys that are not limited to one organization, but not of integrators' keys. The reference to the membership ends the
  // access when the user leaves, also if the user joins again.
  `CREATE TABLE api_key_organizations (
     key_id           int NOT NULL,
     organization_id  int NOT NULL,
     user_id          int NOT NULL,
     shown_to_owners  boolean NOT NULL DEFAULT true,
     CONSTRAINT pk_api_key_organizations PRIMARY KEY (key_id, organization_id),
     CONSTRAINT fk_api_key_organizations_organization FOREIGN KEY (organization_id)
       REFERENCES organizations (id) ON DELETE CASCADE,
     CONSTRAINT fk_api_key_organizations_key FOREIGN KEY (key_id) REFERENCES api_keys (id) ON DELETE CASCADE,
     CONSTRAINT fk_api_key_organizations_membership FOREIGN KEY (user_id, organization_id)
       REFERENCES memberships (user_id, organization_id) ON DELETE CASCADE
   )`,
  `CREATE INDEX ix_api_key_organizations_membership ON api_key_organizations (user_id, organization_id)`,
  `CREATE INDEX ix_api_key_organizations_not_shown ON api_key_organizations (organization_id) WHERE NOT shown_to_owners`,
  `INSERT INTO api_key_organizations (key_id, organization_id, user_id, shown_to_owners)
     SELECT k.id, m.organization_id, m.user_id, NOT (${IS_USABLE}) FROM api_keys k
     JOIN memberships m ON m.user_id = k.user_id WHERE k.organization_id IS NULL`,

  // Keys that wait for the decision of their user to keep or to end them.
  `CREATE TABLE api_key_reviews (
     key_id   int NOT NULL,
     reason   text NOT NULL,
     created  timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT pk_api_key_reviews PRIMARY KEY (key_id),
     CONSTRAINT fk_api_key_reviews_key FOREIGN KEY (key_id) REFERENCES api_keys (id) ON DELETE CASCADE,
     CONSTRAINT ck_api_key_reviews_reason CHECK (reason IN ('upgrade', 'new_password'))
   )`,
  `INSERT INTO api_key_reviews (key_id, reason)
     SELECT k.id, 'upgrade' FROM api_keys k JOIN users u ON u.id = k.user_id
     WHERE u.integrator_id IS NULL AND k.organization_id IS NULL AND ${IS_USABLE}`,
];
