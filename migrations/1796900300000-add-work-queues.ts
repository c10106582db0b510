import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The queue that due work waits in, so that a claim reads the next ones only, however many organizations wait. */
export class AddWorkQueues1796900300000 implements MigrationInterface {
  name = 'AddWorkQueues1796900300000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // The integrator, or minus the organization without one, or 0 for the service itself. NULL before a worker has placed what
    // was not due when it was written.
    await queryRunner.query('ALTER TABLE work ADD COLUMN queue int');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
