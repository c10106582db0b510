import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An operator can suspend an organization: it can be read, and not changed. */
export class SuspendOrganizations1796800022000 implements MigrationInterface {
  name = 'SuspendOrganizations1796800022000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE organizations ADD COLUMN suspended_at timestamptz(3)');
    // Called by the statement of each audit entry of a change, so that no change needs a statement of its own for it.
    await queryRunner.query(`
      CREATE FUNCTION active_organization(organization int) RETURNS int LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM organizations WHERE id = organization AND suspended_at IS NOT NULL) THEN
          RAISE EXCEPTION 'Organization % is suspended', organization
            USING ERRCODE = 'check_violation', CONSTRAINT = 'organization_suspended';
        END IF;
        RETURN organization;
      END $$`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
