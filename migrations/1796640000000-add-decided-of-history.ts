import type { MigrationInterface, QueryRunner } from 'typeorm';

/** finding_history.decided: when the response arrived that decided a change which a test or a scan has made. */
export class AddDecidedOfHistory1796640000000 implements MigrationInterface {
  name = 'AddDecidedOfHistory1796640000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE finding_history ADD COLUMN decided timestamptz(3)`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
