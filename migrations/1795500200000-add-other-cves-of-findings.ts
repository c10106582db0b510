import type { MigrationInterface, QueryRunner } from 'typeorm';

/** other_cves: the CVEs of a finding beside the first one. epss and kev are those of the worst of all. */
export class AddOtherCvesOfFindings1795500200000 implements MigrationInterface {
  name = 'AddOtherCvesOfFindings1795500200000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE findings ADD COLUMN other_cves text[] NOT NULL DEFAULT '{}'`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
