import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * findings.title_key: a digest of the title, by which lists group equal findings. Findings that exist, and those that processes of
 * the version before record meanwhile, get theirs in work.
 */
export class AddTitleKeys1796800020000 implements MigrationInterface {
  name = 'AddTitleKeys1796800020000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE findings ADD COLUMN title_key bigint');
    await queryRunner.query(`INSERT INTO work (kind, reference, run_at)
      SELECT 'finding.beliefs', name, now() + wait FROM (VALUES ('upgrade', interval '0'), ('upgrade again', interval '1 hour')) AS runs (name, wait)
      WHERE EXISTS (SELECT 1 FROM findings) ON CONFLICT DO NOTHING`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
