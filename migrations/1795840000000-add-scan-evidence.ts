import type { MigrationInterface, QueryRunner } from 'typeorm';

const trigger = (operation: string, transition: string): string =>
  `CREATE TRIGGER tr_scan_evidence_stored_${operation.toLowerCase()} AFTER ${operation} ON scan_evidence
   REFERENCING ${transition} FOR EACH STATEMENT EXECUTE FUNCTION stored_rows_count()`;

const statements = [
  // probe: what the last scan that saw the finding sent and received, redacted and limited in length.
  `CREATE TABLE scan_evidence (
     finding_id       int NOT NULL,
     organization_id  int NOT NULL,
     probe            json NOT NULL,
     CONSTRAINT pk_scan_evidence PRIMARY KEY (finding_id, organization_id),
     CONSTRAINT fk_scan_evidence_finding FOREIGN KEY (finding_id, organization_id)
       REFERENCES findings (id, organization_id) ON DELETE CASCADE,
     CONSTRAINT fk_scan_evidence_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
   )`,
  `CREATE INDEX ix_scan_evidence_organization ON scan_evidence (organization_id)`,
  trigger('INSERT', 'NEW TABLE AS added'),
  trigger('DELETE', 'OLD TABLE AS removed'),
  trigger('UPDATE', 'OLD TABLE AS removed NEW TABLE AS added'),
];

/** The request and the response with which a scan saw a finding. */
export class AddScanEvidence1795840000000 implements MigrationInterface {
  name = 'AddScanEvidence1795840000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
