import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which users have shown that their e-mail address is theirs. Users who used a mailed link have, and users of integrators. */
export class AddAddressProofs1795400000001 implements MigrationInterface {
  name = 'AddAddressProofs1795400000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

/** The entries of links that were mailed have the id of the user, those of links that an owner created the id of the link. */
const USED_MAILED_LINK = `
  SELECT 1 FROM audit_logs used
  JOIN audit_logs mailed ON mailed.organization_id = used.organization_id
    AND mailed.resource_type = 'password_reset' AND mailed.resource_id = used.resource_id
    AND mailed.operation = 'password_reset.create' AND mailed.metadata ->> 'via' = 'mail'
    AND mailed.timestamp BETWEEN used.timestamp - interval '1 hour' AND used.timestamp
  WHERE used.organization_id IN (SELECT m.organization_id FROM memberships m WHERE m.user_id = u.id UNION ALL SELECT 0)
    AND used.resource_type = 'password_reset' AND used.resource_id = u.id::text
    AND used.operation = 'password_reset.complete' AND used.status = 'success'
    AND used.metadata ->> 'user_id' = u.id::text
    AND NOT EXISTS (
      SELECT 1 FROM audit_logs handed WHERE handed.organization_id = used.organization_id
        AND handed.resource_type = 'password_reset' AND handed.resource_id = used.resource_id
        AND handed.operation = 'password_reset.create' AND handed.metadata ->> 'via' IS NULL)`;

const statements = [
  `CREATE TABLE address_proofs (
     user_id  int NOT NULL,
     created  timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT pk_address_proofs PRIMARY KEY (user_id),
     CONSTRAINT fk_address_proofs_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
   )`,
  `INSERT INTO address_proofs (user_id)
     SELECT u.id FROM users u WHERE u.integrator_id IS NOT NULL OR EXISTS (${USED_MAILED_LINK})`,
  // Only the address has the link, so that opening it proves the address.
  `ALTER TABLE invitations ADD COLUMN is_mailed boolean NOT NULL DEFAULT false`,
  // Somebody else may have set up the app. It ends with the first proof of the address.
  `ALTER TABLE second_factors ADD COLUMN is_unproved boolean NOT NULL DEFAULT false`,
];
