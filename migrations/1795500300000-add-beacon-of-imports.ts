import type { MigrationInterface, QueryRunner } from 'typeorm';

/** beacon_id: the network of the results. No reference: rows of an import whose beacon was deleted meanwhile are refused. */
export class AddBeaconOfImports1795500300000 implements MigrationInterface {
  name = 'AddBeaconOfImports1795500300000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE imports ADD COLUMN beacon_id int');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
