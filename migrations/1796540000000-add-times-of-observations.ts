import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When tests and people last said of a finding whether it is there, and when the responses arrived that decided. */
export class AddTimesOfObservations1796540000000 implements MigrationInterface {
  name = 'AddTimesOfObservations1796540000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE findings ADD COLUMN fixed_at timestamptz(3), ADD COLUMN stated_at timestamptz(3)',
    );
    await queryRunner.query('ALTER TABLE job_findings ADD COLUMN seen_at timestamptz(3)');
    await queryRunner.query('ALTER TABLE retests ADD COLUMN decided timestamptz(3)');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
