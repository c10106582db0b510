import type { MigrationInterface, QueryRunner } from 'typeorm';

// Hashes. _by: the user who made it. registration_used: a registered agent may repeat its request until the token ends.
const statement = `ALTER TABLE beacons
     ADD COLUMN registration_hash bytea,
     ADD COLUMN registration_until timestamptz(3),
     ADD COLUMN registration_by integer,
     ADD COLUMN registration_used boolean NOT NULL DEFAULT false,
     ADD COLUMN deletion_hash bytea,
     ADD COLUMN deletion_until timestamptz(3),
     ADD COLUMN deletion_by integer`;

/** For agents that register, and for the deletion of a beacon with its installation. */
export class AddOneTimeTokensOfBeacons1798200000000 implements MigrationInterface {
  name = 'AddOneTimeTokensOfBeacons1798200000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
