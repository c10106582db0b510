import type { MigrationInterface, QueryRunner } from 'typeorm';

/** html: of a comment, from its Markdown; null for those of earlier versions, which are plain text. edited: by its author. */
export class AddCommentHtml1795850200000 implements MigrationInterface {
  name = 'AddCommentHtml1795850200000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE finding_history ADD COLUMN html text, ADD COLUMN edited timestamptz(3)');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
