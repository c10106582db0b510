import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ValidateMailKinds1797000100100 implements MigrationInterface {
  name = 'ValidateMailKinds1797000100100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE mail_preferences VALIDATE CONSTRAINT ck_mail_preferences_kinds');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
