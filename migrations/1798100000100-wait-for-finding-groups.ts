import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runEachWhenFree } from './1795780100000-write-feed';

/**
 * The triggers that add findings to those that wait for a group, each with its own short lock. All may run again after an attempt
 * that was interrupted.
 */
export class WaitForFindingGroups1798100000100 implements MigrationInterface {
  name = 'WaitForFindingGroups1798100000100';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await runEachWhenFree(queryRunner, statements);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

const statements = [
  // Before the triggers: the row makes searches read the earlier index until all findings are grouped.
  `INSERT INTO finding_group_filling (next_id) SELECT max(id) FROM findings HAVING max(id) IS NOT NULL ON CONFLICT DO NOTHING`,
  `CREATE OR REPLACE TRIGGER tr_finding_words_wait AFTER INSERT ON finding_words
   REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION finding_words_wait()`,
  `CREATE OR REPLACE TRIGGER tr_finding_words_wait_again AFTER UPDATE OF searched, words ON finding_words FOR EACH ROW
   WHEN (NEW.searched <> OLD.searched OR NEW.words <> OLD.words) EXECUTE FUNCTION finding_words_wait_again()`,
  // They have waited for all writers before them. A new installation needs the earlier index no more.
  `DO $$ BEGIN
     IF EXISTS (SELECT 1 FROM findings) THEN
       INSERT INTO finding_group_filling (next_id) SELECT max(id) FROM findings
         ON CONFLICT ON CONSTRAINT pk_finding_group_filling DO UPDATE SET next_id = excluded.next_id;
     ELSE
       DROP INDEX IF EXISTS ix_finding_words_tokens;
     END IF;
   END $$`,
];
