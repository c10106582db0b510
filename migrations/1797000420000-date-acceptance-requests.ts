import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DateAcceptanceRequests1797000420000 implements MigrationInterface {
  name = 'DateAcceptanceRequests1797000420000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE tickets ADD COLUMN asked timestamptz(3)');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
