import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users with passkeys alone have recovery codes too, so the attempts of codes are no longer counted at the app. */
export class AddCodeAttempts1796800021000 implements MigrationInterface {
  name = 'AddCodeAttempts1796800021000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

const statements = [
  `CREATE TABLE code_attempts (
     user_id       int NOT NULL,
     failures      int NOT NULL,
     last_attempt  timestamptz(3) NOT NULL,
     CONSTRAINT pk_code_attempts PRIMARY KEY (user_id),
     CONSTRAINT fk_code_attempts_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
   )`,
  `INSERT INTO code_attempts (user_id, failures, last_attempt)
     SELECT user_id, failures, last_attempt FROM second_factors WHERE failures > 0 AND last_attempt IS NOT NULL`,
];
