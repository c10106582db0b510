import type { MigrationInterface, QueryRunner } from 'typeorm';

/** finding_history.justification: why a finding does not affect its product, as VEX documents state it. */
export class AddJustificationOfHistory1797000600000 implements MigrationInterface {
  name = 'AddJustificationOfHistory1797000600000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE finding_history ADD COLUMN justification text`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
