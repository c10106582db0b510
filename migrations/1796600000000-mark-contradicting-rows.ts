import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What became of a row that contradicts that its finding is resolved. */
export class MarkContradictingRows1796600000000 implements MigrationInterface {
  name = 'MarkContradictingRows1796600000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE import_rows ADD COLUMN contradiction text');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
