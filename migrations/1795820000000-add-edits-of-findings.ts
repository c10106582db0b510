import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * findings.edits: who has changed its texts or its severity last, and what a check or a file says instead; null for nearly all.
 * finding_history.changes: what an entry changed, old and new. finding_texts: what people have written beside the description.
 * organizations: what accepting a risk needs.
 */
export class AddEditsOfFindings1795820000000 implements MigrationInterface {
  name = 'AddEditsOfFindings1795820000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

const ofOrganization = (table: string): string =>
  `CONSTRAINT fk_${table}_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE`;

const statements = [
  `ALTER TABLE findings ADD COLUMN edits jsonb`,
  `ALTER TABLE finding_history ADD COLUMN changes jsonb`,
  `CREATE TABLE finding_texts (
     finding_id        int NOT NULL,
     organization_id   int NOT NULL,
     remediation_md    text,
     remediation_html  text,
     evidence          text,
     evidence_by       int,
     evidence_at       timestamptz(3),
     stated_md         text,
     stated_html       text,
     CONSTRAINT pk_finding_texts PRIMARY KEY (finding_id, organization_id),
     ${ofOrganization('finding_texts')},
     CONSTRAINT fk_finding_texts_finding FOREIGN KEY (finding_id, organization_id)
       REFERENCES findings (id, organization_id) ON DELETE CASCADE
   )`,
  `CREATE INDEX ix_finding_texts_organization ON finding_texts (organization_id)`,
  `ALTER TABLE organizations ADD COLUMN acceptance_needs_comment boolean NOT NULL DEFAULT false`,
  `ALTER TABLE organizations ADD COLUMN acceptance_needs_end boolean NOT NULL DEFAULT false`,
];
