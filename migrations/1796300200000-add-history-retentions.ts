import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How long archive-history and drop-history keep the history of an organization, where that differs from the other organizations. */
export class AddHistoryRetentions1796300200000 implements MigrationInterface {
  name = 'AddHistoryRetentions1796300200000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE history_retentions (
        organization_id  int NOT NULL,
        days             int NOT NULL,
        CONSTRAINT pk_history_retentions PRIMARY KEY (organization_id),
        CONSTRAINT fk_history_retentions_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT ck_history_retentions_days CHECK (days BETWEEN 30 AND 36500)
      )`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
