import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // What a job has submitted, by address. key: a digest of method and path. shown_at, remaining: paths where it stands.
  `CREATE TABLE job_submissions (
     job_id           int NOT NULL,
     key              text NOT NULL,
     organization_id  int NOT NULL,
     method           text NOT NULL,
     path             text NOT NULL,
     mark             text,
     submissions      int NOT NULL,
     shown_at         json NOT NULL,
     remaining        json NOT NULL,
     deleted          int NOT NULL,
     updated          timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT pk_job_submissions PRIMARY KEY (job_id, key, organization_id),
     CONSTRAINT fk_job_submissions_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
     CONSTRAINT fk_job_submissions_job FOREIGN KEY (job_id, organization_id) REFERENCES jobs (id, organization_id) ON DELETE CASCADE
   )`,
];

export class AddJobSubmissions1798400000000 implements MigrationInterface {
  name = 'AddJobSubmissions1798400000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
