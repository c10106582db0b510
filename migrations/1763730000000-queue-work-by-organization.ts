import type { MigrationInterface, QueryRunner } from 'typeorm';

export class QueueWorkByOrganization1763730000000 implements MigrationInterface {
  name = 'QueueWorkByOrganization1763730000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- The queue of each organization in each kind of work, in order: a claim reads the first row of every queue and no
      -- other. 0 is the service's own work, which belongs to no organization.
      CREATE INDEX ix_work_queue ON work (kind, coalesce(organization_id, 0), run_at, id) WHERE state IN ('waiting', 'running');
      DROP INDEX ix_work_waiting;

      -- What the limits of an organization count.
      CREATE INDEX ix_jobs_unfinished ON jobs (organization_id) WHERE status IN ('PENDING', 'IN_PROGRESS');
      CREATE INDEX ix_retests_unfinished ON retests (organization_id) WHERE status IN ('pending', 'in_progress');
    `);
  }

  /** Forward only: a mistake is mended by the next migration. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
