import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mailed links for a new password that a newer one has replaced. They stay valid, so that a stranger cannot end the owner's. */
export class AddReplacedPasswordResets1795400400000 implements MigrationInterface {
  name = 'AddReplacedPasswordResets1795400400000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE replaced_password_resets (
       token_hash  bytea NOT NULL,
       user_id     int NOT NULL,
       expires     timestamptz(3) NOT NULL,
       CONSTRAINT pk_replaced_password_resets PRIMARY KEY (token_hash),
       CONSTRAINT fk_replaced_password_resets_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
     )`);
    await queryRunner.query('CREATE INDEX ix_replaced_password_resets_user ON replaced_password_resets (user_id)');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
