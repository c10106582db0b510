import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = ['user', 'group'].flatMap((kind) => [
  `DROP INDEX CONCURRENTLY IF EXISTS ix_assets_owner_${kind}`,
  `CREATE INDEX CONCURRENTLY ix_assets_owner_${kind} ON assets (organization_id, owner_${kind}_id) WHERE owner_${kind}_id IS NOT NULL`,
  `ALTER TABLE assets VALIDATE CONSTRAINT fk_assets_owner_${kind}`,
]);

/** The assets of an owner, also for the references when a member or a group is removed. */
export class IndexAssetOwners1796720000100 implements MigrationInterface {
  name = 'IndexAssetOwners1796720000100';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
