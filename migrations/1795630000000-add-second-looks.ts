import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * organizations.second_look_hours: after how many hours `fixed` is looked at again; null for never, as for organizations that
 * exist now. events.second_look: null for the default of its type. retests.second_look_due: the time of the next look, and
 * the result of the last one in the other columns.
 */
export class AddSecondLooks1795630000000 implements MigrationInterface {
  name = 'AddSecondLooks1795630000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE organizations ADD COLUMN second_look_hours int');
    await queryRunner.query('ALTER TABLE organizations ALTER COLUMN second_look_hours SET DEFAULT 6');
    await queryRunner.query('ALTER TABLE events ADD COLUMN second_look boolean');
    await queryRunner.query(`ALTER TABLE retests ADD COLUMN second_look_due timestamptz(3),
      ADD COLUMN second_look_finished timestamptz(3), ADD COLUMN second_look_result text,
      ADD COLUMN second_look_reason text`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
