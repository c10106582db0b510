import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The organizations whose data a scheduled task fails with, so that it leaves them out for a while. */
export class AddSetAsideTasks1796570000000 implements MigrationInterface {
  name = 'AddSetAsideTasks1796570000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE set_aside_tasks (
        organization_id  int NOT NULL,
        task             text NOT NULL,
        failures         int NOT NULL,
        reason           text NOT NULL,
        since            timestamptz(3) NOT NULL,
        retry_at         timestamptz(3) NOT NULL,
        CONSTRAINT pk_set_aside_tasks PRIMARY KEY (organization_id, task),
        CONSTRAINT fk_set_aside_tasks_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
      )`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
