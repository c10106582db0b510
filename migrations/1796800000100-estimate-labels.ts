import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How often each label is, by which PostgreSQL decides whether to read its findings or the newest ones of the organization. It
 * does not use the statistics of the partial index.
 */
export class EstimateLabels1796800000100 implements MigrationInterface {
  name = 'EstimateLabels1796800000100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE STATISTICS st_findings_labels ON (array_append(labels, E'\\n' || organization_id::text)) FROM findings`,
    );
    await queryRunner.query('ANALYZE findings');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
