import type { MigrationInterface, QueryRunner } from 'typeorm';

/** asset_totals.proved and .refuted: the sums of the weights of such open findings in the risk of an asset. Work counts what exists. */
export class AddProvedRisk1796900400000 implements MigrationInterface {
  name = 'AddProvedRisk1796900400000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE asset_totals ADD COLUMN proved int NOT NULL DEFAULT 0,
      ADD COLUMN refuted int NOT NULL DEFAULT 0`);
    await queryRunner.query(`INSERT INTO work (kind, reference, run_at)
      SELECT 'finding.beliefs', name, now() + wait FROM (VALUES ('upgrade', interval '0'), ('upgrade again', interval '1 hour')) AS runs (name, wait)
      WHERE EXISTS (SELECT 1 FROM findings) AND NOT EXISTS (SELECT 1 FROM work WHERE kind = 'finding.beliefs' AND reference = 'upgrade')`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
