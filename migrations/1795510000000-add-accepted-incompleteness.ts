import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * incomplete_until: until when a job may leave the check incomplete. Then until is the moment of the decision, so that
 * the version before takes the row for an expired acceptance of findings.
 */
export class AddAcceptedIncompleteness1795510000000 implements MigrationInterface {
  name = 'AddAcceptedIncompleteness1795510000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE accepted_checks ADD COLUMN incomplete_until timestamptz(3)');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
