import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MakeFindingsSearchable1763707800000 implements MigrationInterface {
  name = 'MakeFindingsSearchable1763707800000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- A title has at most 500 characters; together they must fit into a third of a page, however many bytes a letter takes.
      ALTER TABLE findings ADD COLUMN searched text NOT NULL
        GENERATED ALWAYS AS (left(lower(title || E'\\n' || asset_value), 600)) STORED;

      -- Has what a search looks at, so that going through all findings of an organization touches none of them.
      DROP INDEX ix_findings_organization;
      CREATE INDEX ix_findings_organization ON findings (organization_id, id DESC)
        INCLUDE (searched, status, severity, priority);
    `);
  }

  /** Forward only: a mistake is mended by the next migration. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
