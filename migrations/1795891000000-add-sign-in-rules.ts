import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What organizations require of sign-ins, sessions and API keys. Without a row nothing is required, as before. */
export class AddSignInRules1795891000000 implements MigrationInterface {
  name = 'AddSignInRules1795891000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

const statements = [
  `CREATE TABLE sign_in_rules (
     organization_id    int NOT NULL,
     second_factor      text NOT NULL,
     second_factor_from timestamptz(3),
     idle_minutes       int,
     session_minutes    int,
     key_days           int,
     key_scopes         text[],
     CONSTRAINT pk_sign_in_rules PRIMARY KEY (organization_id),
     CONSTRAINT fk_sign_in_rules_organization FOREIGN KEY (organization_id)
       REFERENCES organizations (id) ON DELETE CASCADE,
     CONSTRAINT ck_sign_in_rules_second_factor CHECK (second_factor IN ('off', 'second_factor', 'passkey'))
   )`,

  // Null until the first sign-in after this migration, about which no mail is sent.
  `ALTER TABLE users ADD COLUMN first_sign_in timestamptz(3)`,

  // When the key no longer opens the organization.
  `ALTER TABLE api_key_organizations ADD COLUMN ends timestamptz(3)`,
];
