import type { MigrationInterface, QueryRunner } from 'typeorm';
import { FEED_APPEND } from './1795780000000-add-feed';

/** For databases whose function was created with a join. */
export class AppendByIds1796800002000 implements MigrationInterface {
  name = 'AppendByIds1796800002000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(FEED_APPEND);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
