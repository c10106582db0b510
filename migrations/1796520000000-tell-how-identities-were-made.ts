import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // admitted_email: the address for which a provider made the member, in lower case; NULL if the user linked the identity.
  // review_since: when the user was asked to keep or to end it. user_agent: the browser in which it was made.
  `ALTER TABLE provider_identities
     ADD COLUMN admitted_email text,
     ADD COLUMN review_since timestamptz(3),
     ADD COLUMN user_agent text`,
  // New providers need it. Those that exist stay as they were, and their owners are shown that.
  `ALTER TABLE identity_providers ADD COLUMN needs_verified_email boolean NOT NULL DEFAULT false`,
  `ALTER TABLE api_keys ADD COLUMN user_agent text`,
];

export class TellHowIdentitiesWereMade1796520000000 implements MigrationInterface {
  name = 'TellHowIdentitiesWereMade1796520000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
