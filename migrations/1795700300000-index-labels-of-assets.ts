import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Like the index on the labels of findings: the organization is one of the elements, so that those of others cost nothing. */
export class IndexLabelsOfAssets1795700300000 implements MigrationInterface {
  name = 'IndexLabelsOfAssets1795700300000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // An interrupted attempt leaves an invalid index.
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_assets_labels');
    await queryRunner.query(`CREATE INDEX CONCURRENTLY ix_assets_labels ON assets
      USING gin (array_append(labels, E'\\n' || organization_id::text)) WHERE labels <> '{}'`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
