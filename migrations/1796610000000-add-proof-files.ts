import { randomBytes } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A value for all assets that exist: their files differ by their ids as well. */
const ofExisting = (): string => randomBytes(32).toString('hex');

const STATEMENTS = [
  // proof_secret: what the proof file of the asset is made of. proof_due: until when active jobs run without the file, for
  // consents from before.
  `ALTER TABLE assets ADD COLUMN proof_secret text NOT NULL DEFAULT '${ofExisting()}',
     ADD COLUMN proof_due timestamptz(3) DEFAULT now() + interval '30 days'`,
  `ALTER TABLE assets ALTER COLUMN proof_due SET DEFAULT NULL,
     ALTER COLUMN proof_secret SET DEFAULT gen_random_uuid()::text || gen_random_uuid()::text`,
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
