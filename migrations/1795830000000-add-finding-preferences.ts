import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // columns: the shown columns of the list of findings, NULL for the first ones. visited: when the user last opened the home
  // of the organization; visited_before: the same of the visit before.
  `CREATE TABLE finding_preferences (
     user_id          int NOT NULL,
     organization_id  int NOT NULL,
     columns          text[],
     is_compact       boolean NOT NULL DEFAULT false,
     visited          timestamptz(3),
     visited_before   timestamptz(3),
     CONSTRAINT pk_finding_preferences PRIMARY KEY (user_id, organization_id),
     CONSTRAINT fk_finding_preferences_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
     CONSTRAINT fk_finding_preferences_organization FOREIGN KEY (organization_id)
       REFERENCES organizations (id) ON DELETE CASCADE,
     CONSTRAINT ck_finding_preferences_columns CHECK (cardinality(columns) <= 20)
   )`,
  `CREATE INDEX ix_finding_preferences_organization ON finding_preferences (organization_id)`,
  // When an admin ended the checklist of a new organization. Those that exist need none.
  'ALTER TABLE organizations ADD COLUMN checklist_ended timestamptz(3) DEFAULT now()',
  'ALTER TABLE organizations ALTER COLUMN checklist_ended DROP DEFAULT',
];

/** What the list of findings and the home of an organization remember. */
export class AddFindingPreferences1795830000000 implements MigrationInterface {
  name = 'AddFindingPreferences1795830000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
