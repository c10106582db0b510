import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // What a provider says of members over SCIM. removed_role: the role of a member whom it has removed, for a return.
  `CREATE TABLE provisioned_members (
     organization_id  int NOT NULL,
     user_id          int NOT NULL,
     external_id      text,
     removed_role     text,
     created          timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT pk_provisioned_members PRIMARY KEY (organization_id, user_id),
     CONSTRAINT fk_provisioned_members_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
     CONSTRAINT fk_provisioned_members_organization FOREIGN KEY (organization_id)
       REFERENCES organizations (id) ON DELETE CASCADE,
     CONSTRAINT ck_provisioned_members_external_id CHECK (length(external_id) <= 255)
   )`,
  `CREATE INDEX ix_provisioned_members_user ON provisioned_members (user_id)`,
  // Also of members who were removed, so that a provider cannot add and remove users without end.
  `CREATE TRIGGER tr_provisioned_members_stored_insert AFTER INSERT ON provisioned_members
   REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION stored_rows_count('limited')`,
  `CREATE TRIGGER tr_provisioned_members_stored_delete AFTER DELETE ON provisioned_members
   REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION stored_rows_count()`,
  `INSERT INTO stored_limits (name, most) VALUES ('provisioned_members', 20000)`,
  // The bearer token that a provider sends with SCIM.
  `CREATE TABLE scim_tokens (
     organization_id  int NOT NULL,
     token_hash       bytea NOT NULL,
     created          timestamptz(3) NOT NULL,
     CONSTRAINT pk_scim_tokens PRIMARY KEY (organization_id),
     CONSTRAINT fk_scim_tokens_organization FOREIGN KEY (organization_id)
       REFERENCES organizations (id) ON DELETE CASCADE,
     CONSTRAINT fk_scim_tokens_provider FOREIGN KEY (organization_id)
       REFERENCES identity_providers (organization_id) ON DELETE CASCADE
   )`,
];

export class AddProvisionedMembers1796000000000 implements MigrationInterface {
  name = 'AddProvisionedMembers1796000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
