import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How long the history of an organization is kept still holds when the organization was deleted: its audit log stays. */
export class KeepHistoryRetentions1796400100000 implements MigrationInterface {
  name = 'KeepHistoryRetentions1796400100000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE history_retentions DROP CONSTRAINT IF EXISTS fk_history_retentions_organization',
    );
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
