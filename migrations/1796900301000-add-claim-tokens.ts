import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose claim of an `Idempotency-Key` it is. NULL in those of processes of 0.2.0. */
export class AddClaimTokens1796900301000 implements MigrationInterface {
  name = 'AddClaimTokens1796900301000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE idempotency_keys ADD COLUMN token uuid');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
