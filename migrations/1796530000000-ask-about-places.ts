import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * asks_places, questions, waits_until: an import of the portal asks about rows that are between several assets. place: the host
 * and port of a row, so that findings of other services are not missing.
 */
export class AskAboutPlaces1796530000000 implements MigrationInterface {
  name = 'AskAboutPlaces1796530000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE imports
      ADD COLUMN asks_places boolean NOT NULL DEFAULT false,
      ADD COLUMN questions jsonb,
      ADD COLUMN waits_until timestamptz(3)`);
    await queryRunner.query('ALTER TABLE import_rows ADD COLUMN place text');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
