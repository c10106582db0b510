import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where in the write-ahead log the last write of a key or session was, for reads from replicas. Rows live for a minute. A crash
 * may empty the table: then replicas have replayed what was written before they are used again.
 */
export class AddWrittenPositions1795900000000 implements MigrationInterface {
  name = 'AddWrittenPositions1795900000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE UNLOGGED TABLE written_positions (
      reader text CONSTRAINT pk_written_positions PRIMARY KEY,
      position pg_lsn NOT NULL,
      written timestamptz(3) NOT NULL DEFAULT now()
    )`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
