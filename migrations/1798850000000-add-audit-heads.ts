import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The trees of the audit log and their signed heads. Like the log they have no reference to organizations: they are kept as long as
 * it, also after the deletion of an organization, and organization 0 has the entries without one. docs/adr/0096 has the reasons.
 */
export class AddAuditHeads1798850000000 implements MigrationInterface {
  name = 'AddAuditHeads1798850000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

const MONTH = `month ~ '^[0-9]{4}-[0-9]{2}$'`;

const statements = [
  // hashes, frontier: 32 bytes for each hash. Two workers that add the same leaves collide in the key.
  `CREATE TABLE audit_leaves (
     organization_id  int NOT NULL,
     month            text NOT NULL,
     start            int NOT NULL,
     size             int NOT NULL,
     ids              uuid[] NOT NULL,
     last_id          uuid NOT NULL,
     hashes           bytea NOT NULL,
     frontier         bytea NOT NULL,
     CONSTRAINT pk_audit_leaves PRIMARY KEY (organization_id, month, start),
     CONSTRAINT ck_audit_leaves_month CHECK (${MONTH}),
     CONSTRAINT ck_audit_leaves_size CHECK (size = start + cardinality(ids) AND octet_length(hashes) = 32 * cardinality(ids))
   )`,

  // document: as it was signed.
  `CREATE TABLE audit_heads (
     organization_id  int NOT NULL,
     month            text NOT NULL,
     size             int NOT NULL,
     document         json NOT NULL,
     CONSTRAINT pk_audit_heads PRIMARY KEY (organization_id, month, size),
     CONSTRAINT ck_audit_heads_month CHECK (${MONTH})
   )`,

  `CREATE FUNCTION feed_audit_heads_added() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
   BEGIN
     INSERT INTO feed_outbox (organization_id, type, version, record_id, data)
     SELECT n.organization_id, 'audit_head.signed', 1, n.month || '/' || n.size, n.document::jsonb
     FROM added n JOIN organizations ON organizations.id = n.organization_id AND deleted_at IS NULL;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER tr_audit_heads_feed_added AFTER INSERT ON audit_heads
   REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION feed_audit_heads_added()`,
];
