import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What became of a sighting of a job that contradicts that its finding is resolved. */
export class MarkContradictingSightings1796600200000 implements MigrationInterface {
  name = 'MarkContradictingSightings1796600200000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE job_findings ADD COLUMN contradiction text');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
