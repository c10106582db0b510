import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the time of a host is free again, for all processes that test it. Unlogged: after a crash, every host is free. */
export class AddTargetPaces1795720000000 implements MigrationInterface {
  name = 'AddTargetPaces1795720000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE UNLOGGED TABLE target_paces (
      host text CONSTRAINT pk_target_paces PRIMARY KEY,
      free_from timestamptz(3) NOT NULL)`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
