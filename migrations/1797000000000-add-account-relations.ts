import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * own_values: what belongs to the account alone, as an admin has typed it. relations: to which other accounts of its asset it is
 * compared, and what they share.
 */
export class AddAccountRelations1797000000000 implements MigrationInterface {
  name = 'AddAccountRelations1797000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE asset_accounts
        ADD COLUMN own_values text[] NOT NULL DEFAULT '{}',
        ADD COLUMN relations jsonb NOT NULL DEFAULT '[]'`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
