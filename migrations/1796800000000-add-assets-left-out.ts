import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many assets of its scope an event does not test, because they are too many. */
export class AddAssetsLeftOut1796800000000 implements MigrationInterface {
  name = 'AddAssetsLeftOut1796800000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE event_plans ADD COLUMN assets_left_out int NOT NULL DEFAULT 0');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
