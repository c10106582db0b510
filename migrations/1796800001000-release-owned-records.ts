import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runEachWhenFree } from './1795780100000-write-feed';

const STATEMENTS = [
  // Locks the membership as the reference did: a member who is removed meanwhile gets no new finding.
  `CREATE OR REPLACE FUNCTION user_owning_asset(organization int, asset int) RETURNS int LANGUAGE sql VOLATILE AS $$
     SELECT m.user_id FROM assets a JOIN memberships m ON m.user_id = a.owner_user_id AND m.organization_id = a.organization_id
     WHERE a.id = asset AND a.organization_id = organization FOR KEY SHARE OF m $$`,
  'ALTER TABLE findings DROP CONSTRAINT IF EXISTS fk_findings_assignee',
  'ALTER TABLE assets DROP CONSTRAINT IF EXISTS fk_assets_owner_user',
  'ALTER TABLE assets DROP CONSTRAINT IF EXISTS fk_assets_owner_group',
];

/** A reference would change all records of a removed member in the statement of the removal. A worker releases them. */
export class ReleaseOwnedRecords1796800001000 implements MigrationInterface {
  name = 'ReleaseOwnedRecords1796800001000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await runEachWhenFree(queryRunner, STATEMENTS);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
