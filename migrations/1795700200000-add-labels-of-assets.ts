import type { MigrationInterface, QueryRunner } from 'typeorm';

/** assets.labels; imports.asset_labels: the labels of the assets that the import adds. */
export class AddLabelsOfAssets1795700200000 implements MigrationInterface {
  name = 'AddLabelsOfAssets1795700200000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE assets ADD COLUMN labels text[] NOT NULL DEFAULT '{}'`);
    await queryRunner.query(`ALTER TABLE imports ADD COLUMN asset_labels text[] NOT NULL DEFAULT '{}'`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
