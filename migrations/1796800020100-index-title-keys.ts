import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  'DROP INDEX CONCURRENTLY IF EXISTS ix_findings_titles',
  // The assets of a group are counted in this order, and the other columns without reading the findings.
  `CREATE INDEX CONCURRENTLY ix_findings_titles ON findings (organization_id, title_key, asset_id)
     INCLUDE (id, status, severity, priority, due_order, assignee_id, verification, is_supported) WHERE merged_into IS NULL`,
];

export class IndexTitleKeys1796800020100 implements MigrationInterface {
  name = 'IndexTitleKeys1796800020100';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
