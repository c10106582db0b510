import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A retest may be blocked. refusal: what refused it, which a person may confirm as the fix. by_refusal: why a refusal counted as
 * fixed. organizations.refusals_count_as_fixed: whether each refusal of the site itself does.
 */
export class AllowBlockedRetests1796560000000 implements MigrationInterface {
  name = 'AllowBlockedRetests1796560000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE retests ADD COLUMN refusal json, ADD COLUMN by_refusal text');
    await queryRunner.query('ALTER TABLE retests DROP CONSTRAINT ck_retests_result');
    await queryRunner.query(`ALTER TABLE retests ADD CONSTRAINT ck_retests_result
      CHECK (result IN ('fixed', 'still_vulnerable', 'inconclusive', 'blocked')) NOT VALID`);
    await queryRunner.query(
      'ALTER TABLE organizations ADD COLUMN refusals_count_as_fixed boolean NOT NULL DEFAULT false',
    );
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
