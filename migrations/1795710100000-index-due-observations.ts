import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The assets of an organization whose observation is due. */
export class IndexDueObservations1795710100000 implements MigrationInterface {
  name = 'IndexDueObservations1795710100000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_assets_observation_due');
    await queryRunner.query(
      'CREATE INDEX CONCURRENTLY ix_assets_observation_due ON assets (organization_id, observation_due NULLS FIRST) WHERE observe',
    );
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
