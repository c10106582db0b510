import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // proof_body: the file that each address of the host serves, NULL before the first consent. proof_due: until when active
  // jobs run without it, for consents from before.
  `ALTER TABLE assets ADD COLUMN proof_body text, ADD COLUMN proof_due timestamptz(3)`,
  `UPDATE assets SET proof_body = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
     proof_due = now() + interval '30 days' WHERE active_tests <> 'off'`,
  // Of active jobs: by host the addresses that it had at the start, or when it was first requested.
  `ALTER TABLE jobs ADD COLUMN addresses jsonb`,
];

/** Active tests need a proof of each address, not only of the name. */
export class AddProofFiles1796610000000 implements MigrationInterface {
  name = 'AddProofFiles1796610000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
