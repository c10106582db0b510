import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Checks that are accepted on all assets of an organization, or on those with a label. */
export class AddAcceptedChecksOnMany1798700000000 implements MigrationInterface {
  name = 'AddAcceptedChecksOnMany1798700000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // label: empty for all assets.
    await queryRunner.query(`CREATE TABLE accepted_checks_on_many (
     organization_id    int NOT NULL,
     check_id           text NOT NULL,
     label              text NOT NULL,
     reason             text NOT NULL,
     covers             text NOT NULL,
     until              timestamptz(3) NOT NULL,
     critical_findings  int[] NOT NULL,
     accepted_by        text NOT NULL,
     accepted_by_id     int,
     accepted_at        timestamptz(3) NOT NULL,
     CONSTRAINT pk_accepted_checks_on_many PRIMARY KEY (organization_id, check_id, label),
     CONSTRAINT fk_accepted_checks_on_many_organization FOREIGN KEY (organization_id)
       REFERENCES organizations (id) ON DELETE CASCADE,
     CONSTRAINT ck_accepted_checks_on_many_reason CHECK (length(reason) BETWEEN 1 AND 500),
     CONSTRAINT ck_accepted_checks_on_many_covers CHECK (covers IN ('findings', 'incompleteness'))
   )`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
