import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the last retests without a decision, which may be blocked too. */
export class IndexUndecidedRetests1796560000100 implements MigrationInterface {
  name = 'IndexUndecidedRetests1796560000100';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE retests VALIDATE CONSTRAINT ck_retests_result');
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_retests_undecided');
    await queryRunner.query(`CREATE INDEX CONCURRENTLY ix_retests_undecided ON retests (organization_id, id DESC)
      WHERE result IN ('inconclusive', 'blocked')`);
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_retests_inconclusive');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
