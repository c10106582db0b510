import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Findings with the former titles of built-in checks get those of today in work, unless the migration before has just asked for it. */
export class RetitleFindings1796730000000 implements MigrationInterface {
  name = 'RetitleFindings1796730000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`INSERT INTO work (kind, reference, run_at)
      SELECT 'finding.beliefs', name, now() + wait FROM (VALUES ('upgrade', interval '0'), ('upgrade again', interval '1 hour')) AS runs (name, wait)
      WHERE EXISTS (SELECT 1 FROM findings) AND NOT EXISTS (SELECT 1 FROM work WHERE kind = 'finding.beliefs' AND reference = 'upgrade')`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
