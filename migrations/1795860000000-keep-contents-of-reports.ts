import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a generated report has, so that later ones can be compared with it. */
export class KeepContentsOfReports1795860000000 implements MigrationInterface {
  name = 'KeepContentsOfReports1795860000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE reports ADD COLUMN contents jsonb');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
