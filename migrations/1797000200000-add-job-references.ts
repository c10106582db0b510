import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What pipelines compare with that fail only for new findings. access_keys: those that may record a job. findings: of the
 * recorded job, as domain/job-reference.ts compares them; null until one is recorded.
 */
export class AddJobReferences1797000200000 implements MigrationInterface {
  name = 'AddJobReferences1797000200000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE job_references (
        asset_id         int NOT NULL,
        name             text NOT NULL,
        organization_id  int NOT NULL,
        access_keys      text[] NOT NULL,
        job_uuid         uuid,
        tested_at        timestamptz(3),
        recorded_at      timestamptz(3),
        recorded_by      text,
        findings         jsonb,
        CONSTRAINT pk_job_references PRIMARY KEY (asset_id, name, organization_id),
        CONSTRAINT fk_job_references_asset FOREIGN KEY (asset_id, organization_id)
          REFERENCES assets (id, organization_id) ON DELETE CASCADE,
        CONSTRAINT fk_job_references_organization FOREIGN KEY (organization_id)
          REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT ck_job_references_recorded CHECK ((findings IS NULL) = (job_uuid IS NULL) AND (findings IS NULL) = (tested_at IS NULL))
      )`);
    await queryRunner.query('CREATE INDEX ix_job_references_organization ON job_references (organization_id)');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
