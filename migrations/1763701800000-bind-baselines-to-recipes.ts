import type { MigrationInterface, QueryRunner } from 'typeorm';

export class BindBaselinesToRecipes1763701800000 implements MigrationInterface {
  name = 'BindBaselinesToRecipes1763701800000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- With what the weakness was seen: for a finding whose check was replaced the baseline says nothing any more.
      ALTER TABLE finding_baselines ADD COLUMN recipe jsonb;
      UPDATE finding_baselines b SET recipe = f.recipe FROM findings f WHERE f.id = b.finding_id;
      DELETE FROM finding_baselines WHERE recipe IS NULL;
      ALTER TABLE finding_baselines ALTER COLUMN recipe SET NOT NULL;
    `);
  }

  /** Forward only: a mistake is mended by the next migration. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
