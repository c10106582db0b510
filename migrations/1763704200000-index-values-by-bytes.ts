import type { MigrationInterface, QueryRunner } from 'typeorm';

export class IndexValuesByBytes1763704200000 implements MigrationInterface {
  name = 'IndexValuesByBytes1763704200000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- By bytes, whatever the language of the database: then what begins with the same is a range.
      CREATE INDEX ix_assets_value_bytes ON assets (organization_id, value COLLATE "C");
      DROP INDEX ix_assets_value;
    `);
  }

  /** Forward only: a mistake is mended by the next migration. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
