import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CountWorkFailures1763695800000 implements MigrationInterface {
  name = 'CountWorkFailures1763695800000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- How many attempts have failed, or lost their worker. The attempt itself is the fence, and rises when work is handed
      -- back in order too: that is nobody's failure.
      ALTER TABLE work ADD COLUMN failures int NOT NULL DEFAULT 0;
      UPDATE work SET failures = CASE state WHEN 'running' THEN greatest(attempt - 1, 0) ELSE attempt END
      WHERE state IN ('waiting', 'running');
    `);
  }

  /** Forward only: a mistake is mended by the next migration. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
