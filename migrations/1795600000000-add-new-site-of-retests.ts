import type { MigrationInterface, QueryRunner } from 'typeorm';

/** new_site: what the retest saw of a site that has changed, if a person may confirm that it is the same. */
export class AddNewSiteOfRetests1795600000000 implements MigrationInterface {
  name = 'AddNewSiteOfRetests1795600000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE retests ADD COLUMN new_site json');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
